import Pipeline

/// Lets one exit test run at a time.
///
/// Swift Testing reads what an exit test's process sends back on one of the threads that tasks run on, and holds it for as long
/// as that process lives. There are as many of those threads as there are cores: two exit tests on two cores would leave none
/// for all other tests, which then run into their limits.
package enum ExitTestTurn {
    private struct State {
        var isTaken = false
        var waiting: [OneShot<Void>] = []
    }

    private static let state = Locked(State())

    /// Waits for its turn, and does the work in it.
    package static func take(_ work: () async throws -> Void) async rethrows {
        let turn = state.withLock { state -> OneShot<Void>? in
            guard state.isTaken else {
                state.isTaken = true
                return nil
            }
            let turn = OneShot<Void>()
            state.waiting.append(turn)
            return turn
        }
        await turn?.value()
        defer { passOn() }
        try await work()
    }

    private static func passOn() {
        let next = state.withLock { state -> OneShot<Void>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resolve(())
    }
}
