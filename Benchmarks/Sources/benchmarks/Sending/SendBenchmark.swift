import Pipeline

/// What a send costs with some actions, in allocations and in time, over a transport that answers at once.
///
/// Each send is made in a fresh task, because a task that has made many has memory left over from them. The task that makes
/// the send is part of the figures.
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
        let all = try await AllocationCount { try await send(on: network) }
        if actions.isEmpty {
            report.write("\(name).allocations", all.perRun, "allocations", budget: .atMost(25))
            if !all.isStable { report.note("\(name): not stable, the lowest of three counts is given") }
        } else {
            let without = try await AllocationCount { try await send(on: bare) }
            let each = (all.perRun - without.perRun) / Double(actions.count)
            report.write("\(name).allocations", all.perRun, "allocations")
            report.write("\(name).allocations-per-action", each, "allocations", budget: budget)
            if !(all.isStable && without.isStable) {
                report.note("\(name): not stable, the lowest of three counts is given")
            }
        }
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
        _ = try await Task { try await network.send(Self.request) }.value
    }

    private static let request = ReadyRequest()
}
