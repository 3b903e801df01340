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
        let url: UnsafePointer<CChar>
        /// The name of the method, where the kind does not say it.
        let method: UnsafePointer<CChar>?
        let fields: UnsafeMutablePointer<ccurl_list>?
        private let memory: UnsafeMutableRawPointer

        init(_ request: NetworkRequest, hasBody: Bool) {
            kind = Self.kind(of: request.method, hasBody: hasBody)
            let lines = Self.lines(for: request, hasBody: hasBody)
            let address = Self.address(of: request.url)
            let name = request.method.rawValue
            let listSize = lines.count * MemoryLayout<ccurl_list>.stride
            let textSize = lines.reduce(0) { $0 + $1.size } + address.utf8.count + 1 + name.utf8.count + 1
            memory = .allocate(byteCount: listSize + textSize, alignment: MemoryLayout<ccurl_list>.alignment)
            let nodes = memory.bindMemory(to: ccurl_list.self, capacity: max(lines.count, 1))
            var text = TextWriter(at: (memory + listSize).assumingMemoryBound(to: CChar.self))
            for (index, line) in lines.enumerated() {
                let next = index + 1 < lines.count ? nodes + index + 1 : nil
                (nodes + index).initialize(to: ccurl_list(text: line.write(with: &text), next: next))
            }
            fields = lines.isEmpty ? nil : nodes
            url = UnsafePointer(text.write(address))
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

        /// The URL without its fragment, which is the client's own (RFC 9110, section 4.2.5).
        private static func address(of url: URL) -> Substring {
            let text = url.absoluteString
            return text[..<(text.firstPlace(of: UInt8(ascii: "#")) ?? text.endIndex)]
        }

        private static func lines(for request: NetworkRequest, hasBody: Bool) -> [Line] {
            var lines = request.headers.map { Line(name: $0.name.spelling, value: $0.value) }
            if request.delivery != .gathered, !request.headers.contains(.acceptEncoding) {
                lines.append(Line(name: "Accept-Encoding", value: "identity"))
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
    }
#endif
