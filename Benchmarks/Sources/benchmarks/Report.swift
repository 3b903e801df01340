import Foundation

/// What the benchmarks found: a line for each figure, written at once.
struct Report {
    /// The most that a figure may be.
    struct Budget {
        let limit: Double

        static func atMost(_ limit: Double) -> Budget { Budget(limit: limit) }
    }

    /// The figures beyond their budgets, each in a sentence.
    private(set) var excesses: [String] = []

    /// Writes a figure as `NAME VALUE UNIT`.
    ///
    /// - Parameters:
    ///   - name: What was measured: the name of the benchmark, a full stop, and what of it.
    ///   - value: The figure.
    ///   - unit: What the figure counts. Ratios have the unit `x`.
    ///   - budget: What the figure is held to. Only counts have one: a time on a busy machine proves nothing.
    mutating func write(_ name: String, _ value: Double, _ unit: String, budget: Budget? = nil) {
        let figure = Self.text(of: value)
        writeLine("\(name) \(figure) \(unit)")
        if let budget, value > budget.limit {
            excesses.append("\(name) is \(figure) \(unit); the budget is \(Self.text(of: budget.limit))")
        }
    }

    /// Writes something to know about the figures before it, as a line that begins with `#`.
    func note(_ text: String) {
        writeLine("# \(text)")
    }

    /// Writes past the buffer of `print`, so that a line is seen at once through a pipe too.
    private func writeLine(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    /// Whole numbers as they are, others with three digits that count.
    private static func text(of value: Double) -> String {
        if value == value.rounded() || abs(value) >= 1000 { return String(Int(value.rounded())) }
        let decimals = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 2
        return String(format: "%.\(decimals)f", value)
    }
}
