public import Foundation
import Pipeline

/// Writes entries to a file that only its owner can read, and begins a new one when it has grown.
///
///     let log = Logger(sinks: [FileSink(caches.appending(path: "network.log"))])
///
/// When an entry would make the file larger than ``maximumSize``, the file becomes `network.log.1`, that one `network.log.2`
/// and so on; the oldest beyond ``olderFiles`` is removed. A link in the place of the file is refused, never followed.
///
/// One program writes to a file; two that do would rotate it under each other's feet.
public final class FileSink: LogSink {
    /// Where the file is. Its folder must exist.
    public let url: URL

    /// How large the file may become, in bytes. A single entry that is larger gets a file of its own.
    public let maximumSize: Int

    /// How many files are kept beside the one that is written to.
    public let olderFiles: Int

    private let format: any LogFormat
    private let open = Guarded<Open?>(nil)

    private struct Open: Sendable {
        let file: FileHandle
        var size: Int
    }

    /// Creates a sink. The file is made when the first entry comes.
    ///
    /// - Parameters:
    ///   - url: Where the file is; its folder must exist.
    ///   - maximumSize: How large the file may become, in bytes; 10 MB unless told otherwise.
    ///   - olderFiles: How many files are kept beside it; 4 unless told otherwise.
    ///   - format: How an entry becomes text; a line with date and level unless told otherwise.
    public init(
        _ url: URL,
        maximumSize: Int = 10_000_000,
        olderFiles: Int = 4,
        format: any LogFormat = LineFormat.stamped
    ) {
        self.url = url
        self.maximumSize = maximumSize
        self.olderFiles = max(0, olderFiles)
        self.format = format
    }

    public func write(_ entry: LogEntry) throws {
        let line = Data((format.text(for: entry) + "\n").utf8)
        try open.withLock { open in
            var current = try open ?? opened()
            if current.size > 0, current.size + line.count > maximumSize {
                open = nil
                try? current.file.close()
                try rotate()
                current = try opened()
            }
            // After a failure nobody knows how much of the line is there: the next entry looks again.
            open = nil
            try current.file.write(contentsOf: line)
            current.size += line.count
            open = current
        }
    }

    private func opened() throws -> Open {
        let file = try PrivateFile(url).openForAppending()
        return Open(file: file, size: Int(try file.seekToEnd()))
    }

    /// Moves each file on to the next number. The one that falls off the end is replaced by the one before.
    private func rotate() throws {
        guard olderFiles > 0 else { return try PrivateFile(url).remove() }
        for number in stride(from: olderFiles - 1, through: 1, by: -1) {
            rename(older(number).path, older(number + 1).path)  // Where there is none yet, there is nothing to do.
        }
        guard rename(url.path, older(1).path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    private func older(_ number: Int) -> URL {
        url.deletingLastPathComponent().appendingPathComponent("\(url.lastPathComponent).\(number)")
    }
}
