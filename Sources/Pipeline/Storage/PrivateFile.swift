public import Foundation

/// A file that can hold secrets: tokens, cookies, recordings.
///
/// Only its owner can read it (mode 0600). It is replaced in one step, so that whoever reads it sees the old content or the
/// new, never a part; and a link in its place is replaced or refused, never followed, so that nobody can turn the content
/// elsewhere.
///
/// Calls wait for the disk. Two programs that write the same file take turns, and the last one wins.
public struct PrivateFile: Sendable, Hashable {
    /// Where the file is.
    public let url: URL

    /// Names a file, which need not exist.
    public init(_ url: URL) {
        self.url = url
    }

    /// Reads the whole file.
    ///
    /// - Returns: The content; `nil` if there is no file.
    /// - Throws: ``NetworkError`` `file-failed` if there is something else, a link above all, or it cannot be read.
    public func read() throws(NetworkError) -> Data? {
        let descriptor = open(url.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("read", POSIXErrorCode(rawValue: errno))
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard Self.isRegular(descriptor) else { throw failure("read", .EINVAL) }
        do { return try file.readToEnd() ?? Data() } catch { throw failure("read", error) }
    }

    /// Replaces the content, or makes the file.
    ///
    /// - Throws: ``NetworkError`` `file-failed` if the folder does not exist or must not be written to; then what was there
    ///   is still there.
    public func write(_ content: Data) throws(NetworkError) {
        do { try FileDelivery(to: url).write(content) } catch { throw failure("written", error.underlying ?? error) }
    }

    /// Removes the file, if there is one. A link is removed, not what it leads to.
    ///
    /// - Throws: ``NetworkError`` `file-failed` if it cannot be removed.
    public func remove() throws(NetworkError) {
        guard unlink(url.path) != 0, errno != ENOENT else { return }
        throw failure("removed", POSIXErrorCode(rawValue: errno))
    }

    /// Opens the file to write at its end, and makes it if there is none. One that others could read is closed to them; those
    /// who have it open already go on reading.
    ///
    /// - Throws: ``NetworkError`` `file-failed` if there is something else, a link above all, or it cannot be written to.
    public func openForAppending() throws(NetworkError) -> FileHandle {
        let descriptor = open(url.path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw failure("written to", POSIXErrorCode(rawValue: errno)) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard Self.isRegular(descriptor) else { throw failure("written to", .EINVAL) }
        guard fchmod(descriptor, 0o600) == 0 else { throw failure("closed to others", POSIXErrorCode(rawValue: errno)) }
        return file
    }

    /// Makes the file, which must not be there yet, to write to it.
    ///
    /// It has its mode from the start. Foundation makes a file first and closes it to others later, and who opens it in between
    /// reads all that is written.
    func create() throws(POSIXError) -> FileHandle {
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    private static func isRegular(_ descriptor: CInt) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private func failure(_ verb: String, _ code: POSIXErrorCode?) -> NetworkError {
        failure(verb, POSIXError(code ?? .EIO))
    }

    private func failure(_ verb: String, _ cause: any Error) -> NetworkError {
        NetworkError(.fileFailed, "\(url.lastPathComponent) cannot be \(verb)", underlying: cause)
    }
}
