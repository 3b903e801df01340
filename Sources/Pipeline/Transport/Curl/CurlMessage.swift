#if canImport(Glibc)
    import CCurl
    import Foundation

    /// A request in the form libcurl takes: made on the task that sends it, so that the event loop only hands it over.
    ///
    /// libcurl keeps pointers to the fields while a transfer runs, so the message must outlive it.
    final class CurlMessage: @unchecked Sendable {  // The memory is written before anybody else knows of it.
        /// How libcurl is told the method.
        enum Kind: Sendable, Hashable {
            case get
            case head
            case withoutBody
            case withBody
        }

        let kind: Kind
        let address: CurlAddress
        /// The name of the method, where the kind does not say it.
        let method: UnsafePointer<CChar>?
        let fields: UnsafeMutablePointer<ccurl_list>?
        private let memory: UnsafeMutableRawPointer

        /// What a request says that does not say otherwise.
        struct Defaults: Sendable {
            /// `nil` if it says nothing.
            let userAgent: String?
            /// The codings to ask for where a body is gathered.
            let contentCodings: String
        }

        init(_ request: NetworkRequest, hasBody: Bool, defaults: Defaults) {
            kind = Self.kind(of: request.method, hasBody: hasBody)
            var writer = CurlMessageWriter(lines: request.headers.count + 4)
            Self.writeFields(of: request, hasBody: hasBody, defaults: defaults, with: &writer)
            let url = Self.withoutFragment(request.url)
            let cut = url.withBytes(CurlAddress.Cut.init)
            let text = writer.write(url)
            let parts = cut.map { writer.writeParts(of: text, at: $0) }
            let name = kind == .get || kind == .head ? nil : writer.write(request.method.rawValue)
            memory = writer.memory
            fields = writer.finishLines()
            method = name.map(writer.text(at:))
            address = CurlAddress(
                text: writer.text(at: text),
                originLength: cut?.path,
                path: writer.text(at: parts?.path ?? text),
                query: (parts?.query).map(writer.text(at:))
            )
        }

        deinit { memory.deallocate() }

        private static func kind(of method: HTTPMethod, hasBody: Bool) -> Kind {
            if hasBody { return .withBody }
            switch method {
            case .get: return .get
            case .head: return .head
            // An empty body has a length where the method gives a body a meaning (RFC 9110, section 8.6).
            case .post, .put, .patch: return .withBody
            default: return .withoutBody
            }
        }

        private static func withoutFragment(_ url: URL) -> String {
            let text = url.absoluteString
            return text.firstPlace(of: UInt8(ascii: "#")).map { String(text[..<$0]) } ?? text
        }

        /// Writes the fields of the request, and those that libcurl would write itself otherwise: what it is told in options it
        /// writes twice, a sign at a time.
        private static func writeFields(
            of request: NetworkRequest,
            hasBody: Bool,
            defaults: Defaults,
            with writer: inout CurlMessageWriter
        ) {
            let headers = request.headers
            if let userAgent = defaults.userAgent, !headers.contains(.userAgent) {
                writer.writeLine("User-Agent", userAgent)
            }
            headers.forEachLine { writer.writeLine($0, $1) }
            if !headers.contains(.acceptEncoding) {
                let codings = request.delivery == .gathered ? defaults.contentCodings : "identity"
                writer.writeLine("Accept-Encoding", codings)
            }
            guard hasBody else { return }
            if !headers.contains(.contentType) {
                writer.writeLine("Content-Type", request.body.contentType ?? "application/octet-stream")
            }
            // Without this libcurl would wait up to a second before it sends a large body.
            if !headers.contains("Expect") { writer.writeLine(suppressing: "Expect") }
        }
    }
#endif
