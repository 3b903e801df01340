/// Something to measure: a few figures that belong together.
///
/// A benchmark that compares two things measures both in one run, in turns, since what a machine does in one minute says
/// little about the next.
protocol Benchmark: Sendable {
    /// How it is called on the command line, and how its figures begin.
    var name: String { get }

    /// Measures, and writes each figure as soon as it is known.
    @concurrent
    func run(_ report: inout Report) async throws

    /// Measures only what has a budget; all of it, unless the benchmark knows better.
    @concurrent
    func check(_ report: inout Report) async throws
}

extension Benchmark {
    @concurrent
    func check(_ report: inout Report) async throws { try await run(&report) }
}
