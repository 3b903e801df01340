import Foundation

/// A place for the body and what goes before it: standard output, or a device.
///
/// Bytes go out unbuffered, so that a reader sees each chunk when it arrives.
struct Output: Sendable {
    /// Why nothing more can be written.
    enum Failure: Error, Hashable, CustomStringConvertible {
        /// The other end of the pipe has seen enough: `httpipe … | head -1`.
        case readerLeft
        /// The system's reason.
        case system(String)

        var description: String {
            switch self {
            case .readerLeft: "nobody reads the output"
            case .system(let reason): reason
            }
        }
    }

    private let descriptor: Int32

    static let standardOutput = Output(descriptor: STDOUT_FILENO)
    static let standardError = Output(descriptor: STDERR_FILENO)

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// Opens something that is there already, such as a device or a named pipe.
    init(opening path: String) throws(Failure) {
        descriptor = open(path, O_WRONLY)
        guard descriptor >= 0 else { throw Self.failure(errno) }
    }

    /// Whether a path names a place to write into rather than a file to replace. To replace `/dev/null` or
    /// `/dev/stdout` with a file would harm the whole machine.
    static func mustBeWrittenInto(_ path: String) -> Bool {
        if path.hasPrefix("/dev/") { return true }
        var facts = stat()
        guard stat(path, &facts) == 0 else { return false }
        let kind = facts.st_mode & S_IFMT
        return kind != S_IFREG && kind != S_IFDIR
    }

    func write(_ text: String) throws(Failure) { try write(Data(text.utf8)) }

    func write(_ data: Data) throws(Failure) {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { posixWrite(descriptor, $0) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                waitForRoom()
            } else if errno != EINTR {
                throw Self.failure(errno)
            }
        }
    }

    /// Waits where a pipe that was made non-blocking by whoever owns it is full.
    private func waitForRoom() {
        var descriptors = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
        _ = poll(&descriptors, 1, -1)
    }

    private static func failure(_ code: Int32) -> Failure {
        code == EPIPE ? .readerLeft : .system(String(cString: strerror(code)))
    }
}

private func posixWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
