#if canImport(os)
    import Foundation
    import os

    /// Writes entries to the log of Apple's systems, where Console and `log stream` show them by subsystem and category.
    ///
    /// An entry of several lines is written line by line, since the system cuts long messages. Texts are public there: what
    /// ``LoggingAction`` writes has no secrets in it, and a private text would show nothing to anyone.
    public struct SystemLogSink: LogSink {
        private let log: os.Logger

        /// Creates a sink.
        ///
        /// - Parameters:
        ///   - subsystem: The program, in reverse domain notation; its bundle identifier unless told otherwise.
        ///   - category: The part of the program; `network` unless told otherwise.
        public init(subsystem: String? = nil, category: String = "network") {
            let subsystem = subsystem ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
            log = os.Logger(subsystem: subsystem, category: category)
        }

        public func write(_ entry: LogEntry) throws {
            for line in LineFormat.plain.text(for: entry).split(separator: "\n") {
                log.log(level: Self.type(of: entry.level), "\(String(line), privacy: .public)")
            }
        }

        private static func type(of level: LogLevel) -> OSLogType {
            switch level {
            case .debug: .debug
            case .info: .info
            case .warning: .default
            case .error: .error
            }
        }
    }

    extension LogSink where Self == SystemLogSink {
        /// The system's log, under the bundle identifier and the category `network`.
        public static var system: SystemLogSink { SystemLogSink() }
    }
#endif
