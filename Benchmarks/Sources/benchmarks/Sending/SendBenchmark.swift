import Pipeline

/// What a send costs with some actions, in allocations and in time, over a transport that answers at once.
///
/// Each send is made in a fresh task, because a task that has made many has memory left over from them. What an empty task
/// allocates is left out of the counts, what the send makes it allocate is not. Times include all.
struct SendBenchmark: Benchmark {
    let name: String
    private let actions: [any Action]
    private let budget: Report.Budget?

    /// - Parameters:
    ///   - actions: What the network has.
    ///   - budget: How many allocations each of the actions may add.
    init(name: String, actions: [any Action], budget: Report.Budget? = nil) {
        self.name = name
        self.actions = actions
        self.budget = budget
    }

    @concurrent
    func run(_ report: inout Report) async throws {
        let bare = Network(transport: InstantTransport())
        let network = Network(actions: actions, transport: InstantTransport())
        try await countAllocations(of: network, comparedTo: bare, &report)
        try await takeTime(of: network, comparedTo: bare, &report)
    }

    private func countAllocations(of network: Network, comparedTo bare: Network, _ report: inout Report) async throws {
        guard AllocationCount.isAvailable else {
            return report.note("\(name): allocations cannot be counted on this platform")
        }
        let idle = try await AllocationCount { try await inFreshTask {} }
        let all = try await AllocationCount { try await send(on: network) } - idle
        report.write("\(name).allocations", all.perRun, "allocations", budget: actions.isEmpty ? .atMost(25) : nil)
        var isStable = all.isStable
        if !actions.isEmpty {
            let without = try await AllocationCount { try await send(on: bare) } - idle
            let each = (all.perRun - without.perRun) / Double(actions.count)
            report.write("\(name).allocations-per-action", each, "allocations", budget: budget)
            isStable = isStable && without.isStable
        }
        if !isStable { report.note("\(name): the counts are not stable, the lowest of three is given") }
    }

    private func takeTime(of network: Network, comparedTo bare: Network, _ report: inout Report) async throws {
        let sends = 2000
        let rounds = try await Rounds(
            9,
            [bare, network].map { network in
                { for _ in 0..<sends { try await send(on: network) } }
            }
        )
        report.write("\(name).time", rounds.medians[1].inSeconds / Double(sends) * 1e6, "µs")
        if !actions.isEmpty {
            report.write("\(name).time-to-0-actions", rounds.medians[1] / rounds.medians[0], "x")
        }
    }

    private func send(on network: Network) async throws {
        try await inFreshTask { _ = try await network.send(Self.request) }
    }

    private func inFreshTask(_ work: @escaping @Sendable () async throws -> Void) async throws {
        try await Task { try await work() }.value
    }

    private static let request = ReadyRequest()
}
