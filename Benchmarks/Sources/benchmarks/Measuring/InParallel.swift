/// Does a piece of work a number of times, so that always as many are under way as there may be.
///
/// - Parameters:
///   - count: How many times in all.
///   - inFlight: How many may be under way. Each has a task that does its share one after another.
///   - work: What to do. The first error ends all.
@concurrent
func inParallel(_ count: Int, inFlight: Int, _ work: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<inFlight {
            let share = count / inFlight + (index < count % inFlight ? 1 : 0)
            group.addTask {
                for _ in 0..<share { try await work() }
            }
        }
        try await group.waitForAll()
    }
}
