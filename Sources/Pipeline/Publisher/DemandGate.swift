/// Holds whoever has values back until somebody wants them, as publishers ask (Reactive Streams, "demand").
///
/// It stands apart from Combine, so that it can be tested where Combine is not.
final class DemandGate: Sendable {
    private struct State: Sendable {
        /// How many values are wanted; `nil` for all there will ever be.
        var wanted: Int? = 0
        var isClosed = false
        var waiting: OneShot<Void>?
    }

    private let state = Locked(State())

    /// Wants more values.
    ///
    /// - Parameter count: How many; `nil` for all there will ever be.
    func want(_ count: Int?) {
        let waiting = state.withLock { state -> OneShot<Void>? in
            state.wanted = count.flatMap { count in state.wanted.map { $0 &+ count } }
            return state.waiting.take()
        }
        waiting?.resolve(())
    }

    /// Lets nobody pass any more. Who waits goes on at once.
    func close() {
        let waiting = state.withLock { state -> OneShot<Void>? in
            state.isClosed = true
            return state.waiting.take()
        }
        waiting?.resolve(())
    }

    /// Waits until a value is wanted, and takes it off what is. One waits at a time.
    ///
    /// - Returns: Whether there is; `false` if the gate is closed.
    func pass() async -> Bool {
        while true {
            let step = state.withLock { state -> Step in
                if state.isClosed { return .done(false) }
                guard let wanted = state.wanted else { return .done(true) }
                if wanted > 0 {
                    state.wanted = wanted - 1
                    return .done(true)
                }
                let turn = OneShot<Void>()
                state.waiting = turn
                return .wait(turn)
            }
            switch step {
            case .done(let passes): return passes
            case .wait(let turn): await turn.value()
            }
        }
    }

    private enum Step {
        case done(Bool)
        case wait(OneShot<Void>)
    }
}
