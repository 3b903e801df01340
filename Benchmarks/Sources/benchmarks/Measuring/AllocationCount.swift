import AllocationCounter

/// How often a piece of work takes memory from the heap.
struct AllocationCount {
    /// How often, each time the work is done.
    let perRun: Double

    /// Whether counting again gave the same.
    let isStable: Bool

    /// Whether allocations can be counted on this platform.
    static var isAvailable: Bool { allocation_counter_works() }

    /// Counts the allocations of work that has been warmed up.
    ///
    /// The work is done 1,000 times, one after another, and that three times over. A count is stable if the three are the
    /// same; where they are not, the lowest is taken, because nothing makes a program allocate less than it must.
    init(of work: () async throws -> Void) async rethrows {
        let runs = 1000
        for _ in 0..<runs { try await work() }
        var counts: [Int] = []
        for _ in 0..<3 {
            allocation_counter_start()
            for _ in 0..<runs { try await work() }
            counts.append(allocation_counter_stop())
        }
        let lowest = counts.min() ?? 0
        perRun = Double(lowest) / Double(runs)
        isStable = counts.allSatisfy { $0 == lowest }
    }
}
