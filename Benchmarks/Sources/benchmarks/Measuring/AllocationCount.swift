import AllocationCounter

/// How often a piece of work takes memory from the heap.
struct AllocationCount {
    /// How often, each time the work is done.
    private(set) var perRun: Double

    /// Whether counting again gave the same.
    private(set) var isStable: Bool

    /// Whether allocations can be counted on this platform.
    static var isAvailable: Bool { allocation_counter_works() }

    /// Counts the allocations of work that has been warmed up.
    ///
    /// The work is done 1,000 times, one after another, and that three times over. A thread that the system starts meanwhile
    /// allocates too, a few times in all; so what counts is the whole number nearest to a thousandth. It is stable if the
    /// three counts agree in it and none is off by more than a tenth. Otherwise the lowest is taken as it is, because nothing
    /// makes a program allocate less than it must.
    init(of work: () async throws -> Void) async rethrows {
        let runs = 1000
        for _ in 0..<runs { try await work() }
        var counts: [Double] = []
        for _ in 0..<3 {
            allocation_counter_start()
            for _ in 0..<runs { try await work() }
            counts.append(Double(allocation_counter_stop()) / Double(runs))
        }
        let lowest = counts.min() ?? 0
        isStable = counts.allSatisfy { abs($0 - lowest.rounded()) <= 0.1 }
        perRun = isStable ? lowest.rounded() : lowest
    }

    /// What one count is above another.
    static func - (one: AllocationCount, other: AllocationCount) -> AllocationCount {
        var difference = one
        difference.perRun -= other.perRun
        difference.isStable = one.isStable && other.isStable
        return difference
    }
}
