import Foundation
import Pipeline

/// A bar on a terminal: how much of a body has moved, how fast, and how long the rest takes.
struct ProgressBar {
    private let columns: Int
    private var wasShown = false

    /// Creates a bar on standard error; `nil` if that is no terminal, since a bar in a file is in the way.
    init?() {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
        var size = winsize()
        let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        columns = isKnown ? Int(size.ws_col) : 80
    }

    /// Draws the bar over the one before.
    mutating func show(_ progress: TransferProgress) {
        wasShown = true
        Console.log("\r\(Self.line(for: progress, columns: columns - 1))\u{1B}[K")
    }

    /// Leaves the bar as it stands, and goes on below.
    func end() {
        if wasShown { Console.log("\n") }
    }

    /// A bar as long as the text beside it leaves room for. Where the total is not known there is only the text.
    static func line(for progress: TransferProgress, columns: Int) -> String {
        let arrow = progress.direction == .upload ? "↑" : "↓"
        let text = "\(arrow) \(progress)"
        let room = columns - text.count - 3
        guard let fraction = progress.fraction, room >= 10 else { return String(text.prefix(columns)) }
        let full = Int(Double(room) * fraction)
        return "[" + String(repeating: "#", count: full) + String(repeating: " ", count: room - full) + "] " + text
    }
}
