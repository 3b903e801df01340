import Foundation

/// What a client has sent and the server has not used yet, with buffered reading from the socket.
///
/// Belongs to the connection's thread.
final class LoopbackInput {
    /// A larger head is refused. Twice what servers commonly allow, so that tests of large heads have room.
    private static let maximumHeadBytes = 1024 * 1024
    private static let readBytes = 32 * 1024

    private let socket: LoopbackSocket
    private let record: (UnsafeRawBufferPointer) -> Void
    private var storage = [UInt8](repeating: 0, count: readBytes)
    private var start = 0
    private var end = 0

    /// Whether bytes that are read go into the connection's record.
    var isRecording = true

    /// - Parameters:
    ///   - socket: Where the bytes come from.
    ///   - record: Gets every byte once, as it is read.
    init(_ socket: LoopbackSocket, record: @escaping (UnsafeRawBufferPointer) -> Void) {
        self.socket = socket
        self.record = record
    }

    /// Whether there are bytes that were read and not used.
    var isEmpty: Bool { start == end }

    /// Reads the next request's head.
    ///
    /// - Returns: The head; nil if the client finished before its first byte.
    func readHead() throws -> LoopbackRequestHead? {
        if start == end, try !fill() { return nil }
        guard LoopbackText.isToken(storage[start]) else {
            throw LoopbackMalformedRequest(
                storage[start] == 0x16
                    ? "a TLS handshake came instead of a request" : "the request line does not begin with a method"
            )
        }
        let lines = try readLines()
        return try storage.withUnsafeBytes { bytes in
            try LoopbackRequestHead(lines: lines.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) })
        }
    }

    /// Reads fields up to the empty line.
    func readTrailers() throws -> [(name: String, value: String)] {
        let lines = try readLines()
        return try storage.withUnsafeBytes { bytes in
            try lines.map { try LoopbackRequestHead.field(UnsafeRawBufferPointer(rebasing: bytes[$0])) }
        }
    }

    /// Reads one line and its end.
    func readLine() throws -> String {
        let range = try scanLine(from: start)
        start = range.upperBound + 2
        return storage.withUnsafeBytes { LoopbackText.string(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Hands over the next bytes, at most `limit`, at least one. Waits for them if there are none.
    ///
    /// - Returns: What `body` returned; nil if the client has finished sending.
    func take<Result>(upTo limit: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result? {
        if start == end, try !fill() { return nil }
        let count = min(limit, end - start)
        defer { start += count }
        return try storage.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start..<start + count])) }
    }

    /// Reads and drops everything until the client has finished sending.
    func drain() throws {
        while try take(upTo: .max, { _ in }) != nil {}
    }

    /// Reads lines up to and including an empty one. The ranges hold until the next read.
    private func readLines() throws -> [Range<Int>] {
        var lines: [(offset: Int, count: Int)] = []
        var offset = 0  // Counted from `start`, which moves when the buffer is compacted.
        while true {
            let line = try scanLine(from: start + offset)
            let next = line.upperBound + 2 - start
            if line.isEmpty { break }
            lines.append((line.lowerBound - start, line.count))
            offset = next
        }
        let base = start
        start += offset + 2
        return lines.map { base + $0.offset..<base + $0.offset + $0.count }
    }

    /// Finds the line that begins at an index, reading on until it is whole.
    private func scanLine(from index: Int) throws -> Range<Int> {
        let offset = index - start
        var scanned = offset
        while true {
            if let feed = storage[(start + scanned)..<end].firstIndex(of: UInt8(ascii: "\n")) {
                guard feed > start + offset, storage[feed - 1] == UInt8(ascii: "\r") else {
                    throw LoopbackMalformedRequest("a line ends in a bare line feed")
                }
                return start + offset..<feed - 1
            }
            scanned = end - start
            guard scanned < Self.maximumHeadBytes else {
                throw LoopbackMalformedRequest("the head is larger than \(Self.maximumHeadBytes) bytes")
            }
            guard try fill() else { throw LoopbackConnectionEnded(.closedByClient) }
        }
    }

    /// Reads more behind what is there. False if the client has finished sending.
    private func fill() throws -> Bool {
        if start > 0 {
            if end > start {
                storage.withUnsafeMutableBytes { bytes in
                    UnsafeMutableRawBufferPointer(rebasing: bytes[..<(end - start)])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                }
            }
            end -= start
            start = 0
        }
        if end == storage.count {
            storage.append(contentsOf: repeatElement(0, count: storage.count))
        }
        let count = try storage.withUnsafeMutableBytes { bytes in
            try socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: bytes[end...]))
        }
        if count == 0 { return false }
        if isRecording {
            storage.withUnsafeBytes { record(UnsafeRawBufferPointer(rebasing: $0[end..<end + count])) }
        }
        end += count
        return true
    }
}
