import Foundation

/// The most memory that this process has held at once.
enum PeakMemory {
    /// In KiB, since the program was loaded; `nil` where the system does not tell.
    ///
    /// Linux tells it in `VmHWM`. `getrusage` would do elsewhere, but counts what the process was before it loaded this
    /// program, too.
    static var inKiB: Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    }
}
