import Foundation

/// A file that is sent as a body, open for as long as somebody knows it.
///
/// What is announced when it is opened is what is read: one that changes under way fails before its last byte is given, so
/// that nobody takes a mixture for the file.
final class BodyFile: Sendable {
    /// What tells a file from the same one after somebody has written to it.
    struct Version: Equatable, Sendable {
        let length: Int
        private let seconds: Int
        private let nanoseconds: Int

        fileprivate init(_ facts: stat) {
            #if canImport(Darwin)
                let time = facts.st_mtimespec
            #else
                let time = facts.st_mtim
            #endif
            length = Int(facts.st_size)
            seconds = time.tv_sec
            nanoseconds = time.tv_nsec
        }
    }

    private let name: String
    private let descriptor: Int32
    private let version: Version

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - url: Where it is.
    ///   - announced: What it was when its length was announced; what it is now unless told otherwise.
    /// - Throws: ``NetworkError`` `file-failed` if it cannot be opened or is no plain file. What is in a pipe or a device is
    ///   there once, without a length, and who waits for it cannot be cancelled.
    init(_ url: URL, as announced: Version? = nil) throws(NetworkError) {
        name = url.lastPathComponent
        var facts = stat()
        // Looked at first: whoever writes to a pipe notices that it is opened and closed.
        guard stat(url.path, &facts) == 0 else { throw Self.failure(name) }
        guard Self.isPlain(facts) else { throw Self.refusal(name, facts) }
        // In its place there can be a pipe now, which would hold up whoever opens it, but for the last flag.
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0, fstat(descriptor, &facts) == 0, Self.isPlain(facts) else {
            let error = descriptor < 0 ? Self.failure(name) : Self.refusal(name, facts)
            if descriptor >= 0 { close(descriptor) }
            throw error
        }
        self.descriptor = descriptor
        version = announced ?? Version(facts)
    }

    deinit { close(descriptor) }

    /// How many bytes there are.
    var length: Int { version.length }

    private static func isPlain(_ facts: stat) -> Bool { facts.st_mode & S_IFMT == S_IFREG }

    private static func refusal(_ name: String, _ facts: stat) -> NetworkError {
        NetworkError(
            .fileFailed,
            "the file of the request body, \(name), is no plain file; send what it brings as a stream",
            underlying: POSIXError(facts.st_mode & S_IFMT == S_IFDIR ? .EISDIR : .EINVAL),
            reach: .no
        )
    }

    /// What the system says of the last call.
    private static func failure(_ name: String) -> NetworkError {
        NetworkError(
            .fileFailed,
            "the file of the request body, \(name), cannot be opened",
            underlying: POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO),
            reach: .no
        )
    }

    /// What the plain file at a place is now; `nil` if there is none.
    static func version(at url: URL) -> Version? {
        var facts = stat()
        guard stat(url.path, &facts) == 0, isPlain(facts) else { return nil }
        return Version(facts)
    }

    /// Reads from the file.
    ///
    /// - Returns: How many bytes were read; 0 at the end.
    /// - Throws: ``NetworkError`` `file-failed` if it cannot be read or has changed since it was opened.
    func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int) throws(NetworkError) -> Int {
        let left = version.length - position
        guard left > 0 else { return 0 }
        let count = pread(descriptor, buffer.baseAddress, min(buffer.count, left), off_t(position))
        guard count >= 0 else {
            throw NetworkError(
                .fileFailed,
                "the file of the request body, \(name), cannot be read",
                underlying: POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            )
        }
        if count == 0 || count == left { try checkUnchanged() }
        return count
    }

    /// Reads the next piece of the file; it is empty at the end.
    func chunk(at position: Int, upTo limit: Int) throws -> Data {
        var chunk = Data(count: min(limit, version.length - position))
        let count = try chunk.withUnsafeMutableBytes { try read(into: $0, at: position) }
        return count < chunk.count ? chunk.prefix(count) : chunk
    }

    /// Makes sure that nobody has written to the file since it was opened.
    ///
    /// - Throws: ``NetworkError`` `file-failed`.
    func checkUnchanged() throws(NetworkError) {
        var facts = stat()
        let now = fstat(descriptor, &facts) == 0 ? Version(facts) : version
        guard now != version else { return }
        let change = now.length < version.length ? "shorter" : now.length > version.length ? "longer" : "different"
        throw NetworkError(.fileFailed, "the file of the request body, \(name), became \(change) while it was sent")
    }
}
