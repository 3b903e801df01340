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
            let lines = Self.lines(for: request, hasBody: hasBody, defaults: defaults)
            let url = Self.withoutFragment(request.url)
            let cut = url.withBytes(CurlAddress.Cut.init)
            let name = request.method.rawValue
            let listSize = lines.count * MemoryLayout<ccurl_list>.stride
            // The path and the query have a place of their own behind the URL.
            let addressSize = (url.utf8.count + 1) * (cut == nil ? 1 : 2)
            let textSize = lines.reduce(0) { $0 + $1.size } + addressSize + name.utf8.count + 1
            memory = .allocate(byteCount: listSize + textSize, alignment: MemoryLayout<ccurl_list>.alignment)
            let nodes = memory.bindMemory(to: ccurl_list.self, capacity: max(lines.count, 1))
            var text = TextWriter(at: (memory + listSize).assumingMemoryBound(to: CChar.self))
            for (index, line) in lines.enumerated() {
                let next = index + 1 < lines.count ? nodes + index + 1 : nil
                (nodes + index).initialize(to: ccurl_list(text: line.write(with: &text), next: next))
            }
            fields = lines.isEmpty ? nil : nodes
            address = text.write(url, cut)
            let methodText = text.write(name)
            method = kind == .get || kind == .head ? nil : UnsafePointer(methodText)
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

        /// The fields of the request, and those that libcurl would write itself otherwise: it writes twice what it is told in
        /// options, a sign at a time.
        private static func lines(for request: NetworkRequest, hasBody: Bool, defaults: Defaults) -> [Line] {
            var lines: [Line] = []
            lines.reserveCapacity(request.headers.count + 4)
            if let userAgent = defaults.userAgent, !request.headers.contains(.userAgent) {
                lines.append(Line(name: "User-Agent", value: userAgent))
            }
            for field in request.headers { lines.append(Line(name: field.name.spelling, value: field.value)) }
            if !request.headers.contains(.acceptEncoding) {
                let codings = request.delivery == .gathered ? defaults.contentCodings : "identity"
                lines.append(Line(name: "Accept-Encoding", value: codings))
            }
            guard hasBody else { return lines }
            if !request.headers.contains(.contentType) {
                lines.append(Line(name: "Content-Type", value: request.body.contentType ?? "application/octet-stream"))
            }
            // Without this libcurl would wait up to a second before it sends a large body.
            if !request.headers.contains("Expect") { lines.append(Line(suppressing: "Expect")) }
            return lines
        }

        /// A header field as libcurl reads it: `Name: value`; `Name;` if the value is empty; `Name:` keeps libcurl from
        /// adding a field of its own.
        private struct Line {
            let name: String
            let separator: String
            let value: String

            init(name: String, value: String) {
                self.name = name
                self.value = value
                separator = value.isEmpty ? ";" : ": "
            }

            init(suppressing name: String) {
                self.name = name
                value = ""
                separator = ":"
            }

            var size: Int { name.utf8.count + separator.utf8.count + value.utf8.count + 1 }

            func write(with writer: inout TextWriter) -> UnsafeMutablePointer<CChar> {
                let start = writer.append(name)
                writer.append(separator)
                writer.append(value)
                writer.end()
                return start
            }
        }
    }

    /// Writes strings one behind the other, each ended as C ends it.
    private struct TextWriter {
        private var position: UnsafeMutablePointer<CChar>

        init(at start: UnsafeMutablePointer<CChar>) { position = start }

        @discardableResult
        mutating func append(_ text: some StringProtocol) -> UnsafeMutablePointer<CChar> {
            let start = position
            let isCopied: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
                guard let first = bytes.baseAddress else { return }
                memcpy(position, first, bytes.count)
                position += bytes.count
            }
            guard isCopied == nil else { return start }
            for byte in text.utf8 {
                position.initialize(to: CChar(bitPattern: byte))
                position += 1
            }
            return start
        }

        mutating func end() {
            position.initialize(to: 0)
            position += 1
        }

        mutating func write(_ text: some StringProtocol) -> UnsafeMutablePointer<CChar> {
            let start = append(text)
            end()
            return start
        }

        /// Writes a URL and, if it is cut, its path and its query.
        mutating func write(_ url: String, _ cut: CurlAddress.Cut?) -> CurlAddress {
            let text = write(url)
            guard let cut else { return CurlAddress(text: text, originLength: nil, path: text, query: nil) }
            let path = position
            memcpy(path, text + cut.path, url.utf8.count - cut.path + 1)
            position += url.utf8.count - cut.path + 1
            let query = cut.query.map { path + $0 - cut.path }
            if let query { query[-1] = 0 }
            return CurlAddress(text: text, originLength: cut.path, path: path, query: query)
        }
    }
#endif
