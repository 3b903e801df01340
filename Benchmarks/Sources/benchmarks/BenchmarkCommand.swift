import Foundation

/// `benchmarks [--budgets] [NAME…]`: runs the benchmarks that are named, or all.
///
/// With `--budgets` only what has a budget is measured, and it ends with 1 if one is exceeded. It does so too if a benchmark
/// fails, and ends with 9 if it does not know a name. A contest starts it again for each turn, with arguments that say which contender it is.
@main
struct BenchmarkCommand {
    private static let benchmarks: [any Benchmark] =
        [
            SendBenchmark(name: "send-0-actions", actions: []),
            SendBenchmark(name: "send-1-noop", actions: [NoopAction()], budget: .atMost(0)),
            SendBenchmark(name: "send-8-noop", actions: (1...8).map { _ in NoopAction() }, budget: .atMost(0)),
            SendBenchmark(name: "send-1-header", actions: [HeaderAction(1)], budget: .atMost(2)),
            SendBenchmark(name: "send-8-header", actions: (1...8).map(HeaderAction.init), budget: .atMost(2)),
            LoopbackBenchmark(),
        ] + BuiltInActions.benchmarks + Contest.all

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == Contender.argument { return await play(Array(arguments.dropFirst())) }
        let judges = arguments.contains("--budgets")
        let names = arguments.filter { $0 != "--budgets" }
        if let unknown = names.first(where: { name in !benchmarks.contains { $0.name == name } }) {
            warn("There is no benchmark \(unknown). There are:")
            for benchmark in benchmarks { warn("  " + benchmark.name) }
            exit(9)
        }
        var report = Report()
        var hasFailed = false
        for benchmark in benchmarks where names.isEmpty || names.contains(benchmark.name) {
            do {
                if judges { try await benchmark.check(&report) } else { try await benchmark.run(&report) }
            } catch {
                warn("\(benchmark.name) FAILED: \(error)")
                hasFailed = true
            }
        }
        if judges, !report.excesses.isEmpty {
            for excess in report.excesses { warn(excess) }
            hasFailed = true
        }
        if hasFailed { exit(1) }
    }

    private static func play(_ arguments: [String]) async {
        do {
            try await Contender.play(arguments)
        } catch {
            warn("\(error)")
            exit(1)
        }
    }

    private static func warn(_ line: String) {
        FileHandle.standardError.write(Data("\(line)\n".utf8))
    }
}
