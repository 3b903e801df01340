import Foundation

/// Writes entries as lines to standard output or standard error, each in one piece.
///
/// A reader that went away (`program | head`) does not end the program; the entries are lost.
public struct StandardStreamSink: LogSink {
    private let descriptor: CInt
    private let format: any LogFormat

    fileprivate init(descriptor: CInt, format: any LogFormat) {
        self.descriptor = descriptor
        self.format = format
    }

    public func write(_ entry: LogEntry) throws {
        try LineOutput(descriptor: descriptor).put(format.text(for: entry) + "\n")
    }
}

extension LogSink where Self == StandardStreamSink {
    /// Standard error, with the message alone on a line.
    public static var standardError: StandardStreamSink { standardError(LineFormat.plain) }

    /// Standard error, the stream for what is not the program's output.
    ///
    /// - Parameter format: How an entry becomes text.
    public static func standardError(_ format: any LogFormat) -> StandardStreamSink {
        StandardStreamSink(descriptor: STDERR_FILENO, format: format)
    }

    /// Standard output, with the message alone on a line.
    public static var standardOutput: StandardStreamSink { standardOutput(LineFormat.plain) }

    /// Standard output, the program's own.
    ///
    /// - Parameter format: How an entry becomes text.
    public static func standardOutput(_ format: any LogFormat) -> StandardStreamSink {
        StandardStreamSink(descriptor: STDOUT_FILENO, format: format)
    }
}

/// A descriptor that takes lines.
private struct LineOutput {
    let descriptor: CInt

    func put(_ text: String) throws {
        try withoutPipeSignal {
            var rest = Data(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {  // A pipe that whoever owns it made non-blocking.
                    var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&room, 1, -1)
                } else if errno != EINTR {
                    throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
                }
            }
        }
    }

    /// Keeps the signal of a pipe without a reader, which would end the program, from this thread; the error says as much.
    private func withoutPipeSignal(_ body: () throws -> Void) rethrows {
        var pipe = sigset_t()
        var before = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipe, &before)
        defer {
            var pending = sigset_t()
            if sigismember(&before, SIGPIPE) == 0, sigpending(&pending) == 0, sigismember(&pending, SIGPIPE) == 1 {
                var signal: CInt = 0
                sigwait(&pipe, &signal)
            }
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        try body()
    }
}
