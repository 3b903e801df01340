#if canImport(Glibc)
    import CCurl

    /// libcurl as it was found on this machine.
    struct CurlLibrary: Sendable {
        /// The version as 0xXXYYZZ.
        private let version: UInt32

        /// The codings of a body that it undoes, as `Accept-Encoding` lists them.
        let contentCodings: String

        /// Why the chain of a server cannot be read nor roots be added; `nil` if they can.
        let tlsObstacle: String?

        /// The library, loaded when it is first asked for, or the reason why there is none.
        static let shared: Result<CurlLibrary, NetworkError> = {
            if let obstacle = ccurl_load() {
                return .failure(NetworkError(.transportUnavailable, String(cString: obstacle), reach: .no))
            }
            return .success(
                CurlLibrary(version: ccurl_version_number(), features: ccurl_features(), tls: ccurl_openssl_load())
            )
        }()

        private init(version: UInt32, features: Int32, tls obstacle: UnsafePointer<CChar>?) {
            self.version = version
            let codings = [
                (CCURL_VERSION_LIBZ, "deflate, gzip"), (CCURL_VERSION_BROTLI, "br"), (CCURL_VERSION_ZSTD, "zstd"),
            ]
            let known = codings.filter { Int(features) & $0.0 != 0 }.map(\.1)
            contentCodings = known.isEmpty ? "identity" : known.joined(separator: ", ")
            tlsObstacle = obstacle.map { String(cString: $0) }
        }

        /// Whether it calls back between the handshake and the request, which pins need.
        var callsBeforeRequests: Bool { version >= 0x07_50_00 }

        /// Whether a transfer can be dropped while its name is being looked up, without waiting for the resolver.
        var leavesResolvers: Bool { version >= 0x07_57_00 }

        /// Whether it keeps the system's trust roots in memory for several connections.
        var keepsRoots: Bool { version >= 0x07_57_00 }

        /// Why pins cannot be checked; `nil` if they can.
        var pinObstacle: String? {
            callsBeforeRequests
                ? tlsObstacle : "libcurl is older than 7.80, which is the first to call before a request"
        }
    }
#endif
