public import Pipeline

/// Finds out whether everything that a send was made of is released after it.
///
/// Give a token to each thing that must go: keep it in an action, a transport, a callback. Then wait until all are
/// released; a test that leaks one hangs there, and ``unreleased`` names it.
///
///     let leaks = LeakCheck()
///     do {
///         let network = Network(actions: [KeepingAction(leaks.token("action"))], transport: server)
///         _ = try await network.send(request)
///     }
///     await leaks.untilAllReleased()
public final class LeakCheck: Sendable {
    private struct State: Sendable {
        var names: [ObjectIdentifier: String] = [:]
        var waiting: [OneShot<Void>] = []
    }

    private let state = Locked(State())

    /// Creates a check with nothing to wait for.
    public init() {}

    /// Something whose release is noticed.
    public final class Token: Sendable {
        private let check: LeakCheck

        fileprivate init(check: LeakCheck) { self.check = check }

        deinit { check.release(ObjectIdentifier(self)) }
    }

    /// Makes a token.
    ///
    /// - Parameter name: What ``unreleased`` calls it.
    public func token(_ name: String) -> Token {
        let token = Token(check: self)
        state.withLock { $0.names[ObjectIdentifier(token)] = name }
        return token
    }

    /// The names of the tokens that somebody holds, sorted.
    public var unreleased: [String] { state.withLock { $0.names.values.sorted() } }

    /// Waits until all tokens are released, or the test is cancelled.
    public func untilAllReleased() async {
        let done = OneShot<Void>()
        state.withLock { state in
            if state.names.isEmpty { done.resolve(()) } else { state.waiting.append(done) }
        }
        await done.valueOrCancellation()
    }

    private func release(_ id: ObjectIdentifier) {
        let waiting = state.withLock { state -> [OneShot<Void>] in
            state.names[id] = nil
            guard state.names.isEmpty else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for done in waiting { done.resolve(()) }
    }
}

/// An action that does nothing but hold on to a token of a ``LeakCheck``.
public struct HoldingAction: RequestBeganAction {
    private let token: LeakCheck.Token

    /// Creates an action.
    public init(_ token: LeakCheck.Token) {
        self.token = token
    }

    public func requestBegan(_ request: NetworkRequest) {}
}
