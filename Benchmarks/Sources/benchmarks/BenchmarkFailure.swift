/// Why a benchmark has no figures, with what to do about it. The others go on.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
