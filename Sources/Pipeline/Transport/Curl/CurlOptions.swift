#if canImport(Glibc)
    import CCurl
    import Foundation

    /// Sets the options of a handle: those that hold for good, and those of one request.
    struct CurlOptions {
        private let easy: ccurl_easy
        private let configuration: CurlTransport.Configuration
        private let library: CurlLibrary
        /// libcurl keeps a pointer to it.
        private let resolutions: CurlStringList
        private let url: CurlURL

        init(_ easy: ccurl_easy, configuration: CurlTransport.Configuration, library: CurlLibrary) {
            self.easy = easy
            self.configuration = configuration
            self.library = library
            resolutions = CurlStringList(configuration.resolve.map { "\($0.key):\($0.value)" })
            url = CurlURL(easy)
        }

        // MARK: For good

        /// Sets what every request over this handle shares.
        ///
        /// - Parameters:
        ///   - tls: The policy of all its connections.
        ///   - isUpgrade: Whether libcurl only makes connections, and leaves them to us.
        ///   - errorText: Where libcurl writes what went wrong.
        ///   - context: What the callbacks are told: the transfer, which lives as long as the handle.
        func setForGood(
            tls: TLSPolicy?,
            isUpgrade: Bool,
            errorText: UnsafeMutablePointer<CChar>,
            context: UnsafeMutableRawPointer
        ) {
            set(CCURL_OPT_NOSIGNAL, 1)
            set(CCURL_OPT_ERRORBUFFER, errorText)
            set(CCURL_OPT_PRIVATE, context)
            set(CCURL_OPT_PROTOCOLS, CCURL_PROTO_HTTP | CCURL_PROTO_HTTPS)
            set(CCURL_OPT_REDIR_PROTOCOLS, CCURL_PROTO_HTTP | CCURL_PROTO_HTTPS)
            set(CCURL_OPT_HTTP09_ALLOWED, 0)
            set(CCURL_OPT_PATH_AS_IS, 1)
            // Undoes all that it was built with; the message says what is asked for.
            set(CCURL_OPT_ACCEPT_ENCODING, "")
            set(CCURL_OPT_TCP_KEEPALIVE, 1)
            if library.leavesResolvers { set(CCURL_OPT_QUICK_EXIT, 1) }
            setCallbacks(context)
            setRoute()
            if let tls { set(tls, context) }
            guard isUpgrade else { return }
            set(CCURL_OPT_CONNECT_ONLY, 1)
            // A proxy that reads requests would not know what to make of what follows them.
            set(CCURL_OPT_HTTPPROXYTUNNEL, 1)
            set(CCURL_OPT_HTTP_VERSION, CCURL_HTTP_VERSION_1_1)
        }

        private func setCallbacks(_ context: UnsafeMutableRawPointer) {
            ccurl_easy_set_data_callback(easy, Int32(CCURL_OPT_HEADERFUNCTION), CurlCallbacks.head)
            set(CCURL_OPT_HEADERDATA, context)
            ccurl_easy_set_data_callback(easy, Int32(CCURL_OPT_WRITEFUNCTION), CurlCallbacks.body)
            set(CCURL_OPT_WRITEDATA, context)
            ccurl_easy_set_data_callback(easy, Int32(CCURL_OPT_READFUNCTION), CurlCallbacks.upload)
            set(CCURL_OPT_READDATA, context)
            ccurl_easy_set_seek_callback(easy, CurlCallbacks.seek)
            set(CCURL_OPT_SEEKDATA, context)
            ccurl_easy_set_progress_callback(easy, CurlCallbacks.progress)
            set(CCURL_OPT_XFERINFODATA, context)
            if library.callsBeforeRequests {
                ccurl_easy_set_before_request_callback(easy, CurlCallbacks.beforeRequest)
                set(CCURL_OPT_PREREQDATA, context)
            }
        }

        private func setRoute() {
            set(CCURL_OPT_UNIX_SOCKET_PATH, configuration.unixSocket)
            set(CCURL_OPT_RESOLVE, resolutions.first)
            // The fields of a request are for its server, not for a proxy that only relays.
            set(CCURL_OPT_HEADEROPT, CCURL_HEADER_SEPARATE)
            set(CCURL_OPT_SUPPRESS_CONNECT_HEADERS, 1)
            // For a proxy that relays: requests have it among their fields.
            if configuration.proxy != .none { set(CCURL_OPT_USERAGENT, configuration.userAgent) }
            switch configuration.proxy.kind {
            case .environment:
                break
            case .none:
                // Unless it is told both, libcurl goes through the environment for each request.
                set(CCURL_OPT_PROXY, "")
                set(CCURL_OPT_NOPROXY, "")
            case .server(let url, let credentials, let exclusions):
                set(CCURL_OPT_PROXY, url.absoluteString)
                set(CCURL_OPT_NOPROXY, exclusions.joined(separator: ","))
                guard let credentials else { return }
                set(CCURL_OPT_PROXYAUTH, CCURL_AUTH_BASIC)
                set(CCURL_OPT_PROXYUSERPWD, credentials.percentEncoded)
            }
        }

        private func set(_ tls: TLSPolicy, _ context: UnsafeMutableRawPointer) {
            let version = tls.minimumVersion == .tls1_3 ? CCURL_SSLVERSION_TLSv1_3 : CCURL_SSLVERSION_TLSv1_2
            set(CCURL_OPT_SSLVERSION, version)
            set(CCURL_OPT_HTTP_VERSION, configuration.allowsHTTP2 ? CCURL_HTTP_VERSION_2TLS : CCURL_HTTP_VERSION_1_1)
            if configuration.allowsHTTP2 { set(CCURL_OPT_PIPEWAIT, 1) }
            if !tls.roots.includesSystem {
                set(CCURL_OPT_CAINFO, nil as String?)
                set(CCURL_OPT_CAPATH, nil as String?)
            }
            // Roots are added to a store of the connection's own, not to one that libcurl keeps for others.
            if !tls.roots.certificates.isEmpty, library.keepsRoots { set(CCURL_OPT_CA_CACHE_TIMEOUT, 0) }
            if library.tlsObstacle == nil {
                ccurl_easy_set_tls_callback(easy, CurlCallbacks.secure)
                set(CCURL_OPT_SSL_CTX_DATA, context)
            }
            if let identity = tls.clientIdentity { set(identity) }
        }

        private func set(_ identity: ClientIdentity) {
            switch identity.form {
            case .pem(let certificates, let privateKey):
                set(CCURL_OPT_SSLCERTTYPE, "PEM")
                set(CCURL_OPT_SSLCERT_BLOB, certificates)
                set(CCURL_OPT_SSLKEYTYPE, "PEM")
                set(CCURL_OPT_SSLKEY_BLOB, privateKey)
            case .pkcs12(let archive):
                set(CCURL_OPT_SSLCERTTYPE, "P12")
                set(CCURL_OPT_SSLCERT_BLOB, archive)
            }
            // With none libcurl 7.88 reads through a null pointer, and others ask at the terminal.
            set(CCURL_OPT_KEYPASSWD, identity.password ?? "")
        }

        // MARK: For one request

        func set(_ exchange: CurlExchange, onFreshConnection isFresh: Bool) {
            let message = exchange.message
            url.set(message.address)
            set(CCURL_OPT_HTTPHEADER, message.fields)
            set(CCURL_OPT_HTTPGET, 1)  // Undoes what the last request asked for.
            switch message.kind {
            case .get, .withoutBody:
                break
            case .head:
                set(CCURL_OPT_NOBODY, 1)
            case .withBody:
                set(CCURL_OPT_UPLOAD, 1)
                ccurl_easy_set_offset(easy, Int32(CCURL_OPT_INFILESIZE_LARGE), Int64(exchange.upload.length ?? -1))
            }
            set(CCURL_OPT_CUSTOMREQUEST, message.method)
            set(CCURL_OPT_BUFFERSIZE, exchange.asksForNoCoding ? Self.largeBuffer : Self.smallBuffer)
            if message.kind == .withBody { set(CCURL_OPT_UPLOAD_BUFFERSIZE, Self.uploadBuffer) }
            set(CCURL_OPT_FRESH_CONNECT, isFresh ? 1 : 0)
            set(CCURL_OPT_CONNECTTIMEOUT_MS, Self.milliseconds(exchange.request.timeLimits.connect))
            guard let tls = exchange.tls else { return }
            watchProgress(false)
            // A session that is resumed has no verified chain.
            let needsChain = exchange.isProbe || exchange.pins != nil
            set(CCURL_OPT_SSL_SESSIONID_CACHE, needsChain ? 0 : 1)
            let isInsecure = tls.isInsecure(exchange.origin.host)
            set(CCURL_OPT_SSL_VERIFYPEER, isInsecure ? 0 : 1)
            set(CCURL_OPT_SSL_VERIFYHOST, isInsecure ? 0 : 2)
        }

        /// Has the progress callback called, or not. It can be changed while a transfer runs.
        func watchProgress(_ isWatched: Bool) { set(CCURL_OPT_NOPROGRESS, isWatched ? 0 : 1) }

        /// How much is read at once of a body that comes as it is.
        private static let largeBuffer = 256 * 1024
        /// How much is sent at once; libcurl has no larger one.
        private static let uploadBuffer = 512 * 1024
        /// How much is read at once of one that may be compressed: it can grow a thousandfold in memory.
        private static let smallBuffer = 16 * 1024

        /// At least one, for zero means "as libcurl likes"; at most what an `int` can hold, some 24 days.
        private static func milliseconds(_ limit: Duration?) -> Int {
            guard let limit, limit < .seconds(2_000_000) else { return Int(Int32.max) }
            return max(1, Int(limit / .milliseconds(1)))
        }

        // MARK: Setting

        private func set(_ option: Int, _ value: Int) { ccurl_easy_set_long(easy, Int32(option), value) }

        private func set(_ option: Int, _ text: String?) {
            if let text {
                ccurl_easy_set_pointer(easy, Int32(option), text)
            } else {
                ccurl_easy_set_pointer(easy, Int32(option), nil)
            }
        }

        private func set(_ option: Int, _ pointer: UnsafeRawPointer?) {
            ccurl_easy_set_pointer(easy, Int32(option), pointer)
        }

        private func set(_ option: Int, _ data: Data) {
            data.withUnsafeBytes { bytes in
                _ = ccurl_easy_set_bytes(easy, Int32(option), bytes.baseAddress, bytes.count)
            }
        }
    }

    extension CurlTransport.Proxy.Credentials {
        /// Both in one, encoded: so all versions of libcurl take them alike. Given one by one, they are decoded by those before
        /// 8.8, encoded or not.
        fileprivate var percentEncoded: String { "\(user.percentEncoded()):\(password.percentEncoded())" }
    }

    /// Strings as libcurl's lists hold them.
    final class CurlStringList {
        private let nodes: UnsafeMutableBufferPointer<ccurl_list>

        init(_ strings: [String]) {
            nodes = .allocate(capacity: strings.count)
            for (index, string) in strings.enumerated() {
                let next = index + 1 < strings.count ? nodes.baseAddress.map { $0 + index + 1 } : nil
                nodes.initializeElement(at: index, to: ccurl_list(text: strdup(string), next: next))
            }
        }

        deinit {
            for node in nodes { free(node.text) }
            nodes.deallocate()
        }

        var first: UnsafeRawPointer? { nodes.isEmpty ? nil : UnsafeRawPointer(nodes.baseAddress) }
    }
#endif
