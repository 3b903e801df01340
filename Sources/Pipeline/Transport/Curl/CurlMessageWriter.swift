#if canImport(Glibc)
    import CCurl
    import Glibc

    /// Writes strings one behind the other, each ended as C ends it, and the list of those that are header fields.
    ///
    /// All of it stands in one piece of memory, the nodes of the list first. It can move while it grows, so places in it are
    /// counted in bytes until all is written.
    struct CurlMessageWriter {
        /// Whoever has it last deallocates it.
        private(set) var memory: UnsafeMutableRawPointer
        private var size: Int
        private var capacity: Int
        private var lineCount = 0

        /// Most messages fit.
        private static let usualTextSize = 512

        /// - Parameter lines: As many as there will be at most.
        init(lines: Int) {
            size = lines * MemoryLayout<ccurl_list>.stride
            capacity = size + Self.usualTextSize
            memory = .allocate(byteCount: capacity, alignment: MemoryLayout<ccurl_list>.alignment)
        }

        /// - Returns: Where the string begins.
        mutating func write(_ text: String) -> Int {
            let start = size
            append(text)
            appendZero()
            return start
        }

        /// Writes the path of a URL that was written, and its query.
        mutating func writeParts(of url: Int, at cut: CurlAddress.Cut) -> (path: Int, query: Int?) {
            let path = size
            let length = path - url - cut.path
            reserve(length)
            memcpy(memory + path, memory + url + cut.path, length)
            size += length
            let query = cut.query.map { path + $0 - cut.path }
            if let query { memory.storeBytes(of: 0, toByteOffset: query - 1, as: CChar.self) }
            return (path, query)
        }

        // MARK: Header fields

        /// Writes a field as libcurl reads it: `Name: value`, or `Name;` if the value is empty.
        mutating func writeLine(_ name: String, _ value: String) {
            noteLine()
            append(name)
            if value.isEmpty {
                append(";")
            } else {
                append(": ")
                append(value)
            }
            appendZero()
        }

        /// Writes what keeps libcurl from adding a field of its own.
        mutating func writeLine(suppressing name: String) {
            noteLine()
            append(name)
            append(":")
            appendZero()
        }

        /// A node holds the place of its text until that can no longer move.
        private mutating func noteLine() {
            node(lineCount).initialize(to: ccurl_list(text: UnsafeMutablePointer(bitPattern: size), next: nil))
            lineCount += 1
        }

        /// Links the nodes, once all is written.
        ///
        /// - Returns: The first; `nil` if there is none.
        func finishLines() -> UnsafeMutablePointer<ccurl_list>? {
            for index in 0..<lineCount {
                let text = text(at: Int(bitPattern: node(index).pointee.text))
                node(index).pointee.text = UnsafeMutablePointer(mutating: text)
                node(index).pointee.next = index + 1 < lineCount ? node(index + 1) : nil
            }
            return lineCount > 0 ? node(0) : nil
        }

        private func node(_ index: Int) -> UnsafeMutablePointer<ccurl_list> {
            memory.assumingMemoryBound(to: ccurl_list.self) + index
        }

        /// A string that was written, once all is.
        func text(at start: Int) -> UnsafePointer<CChar> {
            UnsafePointer((memory + start).assumingMemoryBound(to: CChar.self))
        }

        // MARK: Bytes

        private mutating func append(_ text: String) {
            reserve(text.utf8.count)
            text.withBytes { bytes in
                if let first = bytes.baseAddress { memcpy(memory + size, first, bytes.count) }
            }
            size += text.utf8.count
        }

        private mutating func appendZero() {
            reserve(1)
            memory.storeBytes(of: 0, toByteOffset: size, as: CChar.self)
            size += 1
        }

        private mutating func reserve(_ count: Int) {
            guard capacity - size < count else { return }
            capacity = 2 * (size + count)
            let larger = UnsafeMutableRawPointer.allocate(
                byteCount: capacity,
                alignment: MemoryLayout<ccurl_list>.alignment
            )
            memcpy(larger, memory, size)
            memory.deallocate()
            memory = larger
        }
    }
#endif
