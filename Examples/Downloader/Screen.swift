import Foundation
import Pipeline

/// A line for each download. On a terminal the lines stay in their places; elsewhere only their ends are printed.
actor Screen {
    /// What there is to say about a download.
    enum Line: Sendable {
        case progress(TransferProgress)
        case finished(String)
        case failed(String)
    }

    private let names: [String]
    private var lines: [String]
    private let isTerminal = isatty(STDOUT_FILENO) == 1
    private var isDrawn = false

    init(rows names: [String]) {
        self.names = names
        lines = names.map { "\($0)  waits" }
    }

    func show(_ line: Line, in row: Int) {
        let text = Self.text(of: line)
        lines[row] = "\(names[row])  \(text)"
        if isTerminal {
            draw()
        } else if case .progress = line {
            return
        } else {
            print(lines[row])
        }
    }

    private func draw() {
        let up = isDrawn ? "\u{1B}[\(lines.count)A" : ""
        print(up + lines.map { "\u{1B}[2K\($0)" }.joined(separator: "\n"))
        isDrawn = true
    }

    private static func text(of line: Line) -> String {
        switch line {
        case .progress(let progress): "\(bar(progress.fraction)) \(progress)"
        case .finished(let text): "\(bar(1)) \(text)"
        case .failed(let text): text
        }
    }

    private static func bar(_ fraction: Double?) -> String {
        guard let fraction else { return "" }
        let full = Int(fraction * 20)
        return "[" + String(repeating: "#", count: full) + String(repeating: " ", count: 20 - full) + "]"
    }
}
