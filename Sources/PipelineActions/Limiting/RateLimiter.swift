import Pipeline

/// The lines of a ``RateLimitAction``, one for each key, and the waiting in them.
final class RateLimiter: Sendable {
    typealias Line = RateLimitLine<SendID>

    private enum Summons: Sendable {
        case go
        case watch
        case leave
    }

    /// Who is called, and to what.
    private typealias Calls = [(Turn<Summons>?, Summons)]

    private struct State: Sendable {
        var lines: [String: Line] = [:]
        var turns: [Place: Turn<Summons>] = [:]
    }

    private struct Place: Hashable, Sendable {
        let key: String
        let ticket: Line.Ticket
    }

    private let policy: RateLimitPolicy
    private let state = Guarded(State())

    /// Above this, keys that nobody has used for long are forgotten.
    private static let manyKeys = 512

    static let purpose = PausePurpose(rawValue: "rate-limit")

    init(_ policy: RateLimitPolicy) {
        self.policy = policy
    }

    var waiting: Int { state.withLock { $0.lines.values.reduce(0) { $0 + $1.waiting } } }

    /// Counts a request, if need be after a wait.
    ///
    /// - Throws: ``NetworkError`` `rate-limited` if it must not wait or the wait would outlast its time limit;
    ///   `CancellationError` if the task is cancelled meanwhile.
    func pass(_ key: String, for request: NetworkRequest) async throws {
        let context = request.context
        let begin = context.time.now
        let turn = Turn<Summons>()
        let (wait, place, watches) = try enter(key, for: request, at: begin, turn)
        guard let place else { return }
        context.report(.note(action: "RateLimitAction", RateLimitDecision.waits(wait, key: key)))
        if watches {
            try await watch(place, for: context)
        } else {
            let summons = await withTaskCancellationHandler {
                await turn.wait()
            } onCancel: {
                leave(place)
            }
            switch summons {
            case .go: break
            case .watch: try await watch(place, for: context)
            case .leave: throw CancellationError()
            }
        }
        let waited = context.time.now - begin
        context.report(.note(action: "RateLimitAction", RateLimitDecision.goes(after: waited)))
    }

    /// Heeds what a server said.
    func heed(_ hints: [RateLimitHint], for key: String, at now: Duration) {
        state.withLock { state in
            for hint in hints {
                state.lines[key, default: Line(bucket: policy.bucket)].heed(hint, at: now, longest: policy.longestHint)
            }
        }
    }

    private func enter(
        _ key: String,
        for request: NetworkRequest,
        at now: Duration,
        _ turn: Turn<Summons>
    ) throws -> (wait: Duration, place: Place?, watches: Bool) {
        let context = request.context
        let left = context.timeLeft
        let priority = (request.priority ?? .medium).rawValue
        return try state.withLock { state in
            forgetIdle(&state, at: now)
            var line = state.lines[key] ?? Line(bucket: policy.bucket)
            defer { state.lines[key] = line }
            let wait = line.expectedWait(at: now, priority: priority, start: context.id)
            if line.waiting == 0, wait <= .zero {
                line.take(at: now)
                return (.zero, nil, false)
            }
            if policy.excess == .fails { throw Self.refusal(key, wait, in: context) }
            if let left, wait >= left { throw Self.refusal(key, wait, left: left, in: context) }
            let ticket = line.enter(priority: priority, start: context.id)
            let place = Place(key: key, ticket: ticket)
            state.turns[place] = turn
            return (wait, place, line.watcher == ticket)
        }
    }

    /// Waits for the clock and calls whoever goes next, until that is the one who watches.
    private func watch(_ place: Place, for context: SendContext) async throws {
        do {
            while true {
                try Task.checkCancellation()
                let (wait, called) = state.withLock { state in admit(upTo: place, &state, at: context.time.now) }
                for (turn, summons) in called { turn?.come(summons) }
                guard let wait else { return }
                if let left = context.timeLeft, wait >= left {
                    throw Self.refusal(place.key, wait, left: left, in: context)
                }
                try await context.time.sleep(for: wait, purpose: Self.purpose)
            }
        } catch {
            leave(place)
            throw error
        }
    }

    /// Lets everybody go whose time has come, up to the one who watches.
    ///
    /// - Returns: How long the watcher must still wait, `nil` if it goes; and who is called.
    private func admit(
        upTo place: Place,
        _ state: inout State,
        at now: Duration
    ) -> (Duration?, Calls) {
        var called: Calls = []
        while true {
            let wait = state.lines[place.key]?.wait(at: now) ?? .zero
            if wait > .zero { return (wait, called) }
            guard let ticket = state.lines[place.key]?.admitFirst(at: now) else { return (nil, called) }
            let turn = state.turns.removeValue(forKey: Place(key: place.key, ticket: ticket))
            guard ticket != place.ticket else { return (nil, called + appointWatcher(place.key, &state)) }
            called.append((turn, .go))
        }
    }

    /// Takes somebody out of the line at once.
    private func leave(_ place: Place) {
        let called = state.withLock { state -> Calls in
            guard state.lines[place.key]?.withdraw(place.ticket) == true else { return [] }
            let turn = state.turns.removeValue(forKey: place)
            return [(turn, .leave)] + appointWatcher(place.key, &state)
        }
        for (turn, summons) in called { turn?.come(summons) }
    }

    private func appointWatcher(_ key: String, _ state: inout State) -> Calls {
        guard let ticket = state.lines[key]?.appointWatcher() else { return [] }
        return [(state.turns[Place(key: key, ticket: ticket)], .watch)]
    }

    private func forgetIdle(_ state: inout State, at now: Duration) {
        guard state.lines.count > Self.manyKeys else { return }
        state.lines = state.lines.filter { !$0.value.isIdle(at: now) }
    }

    private static func refusal(
        _ key: String,
        _ wait: Duration,
        left: Duration? = nil,
        in context: SendContext
    ) -> NetworkError {
        let exceeded = RateLimitExceeded(key: key, pause: wait)
        let reason = left.map { ", which would outlast the \($0) left of the total time limit" } ?? ""
        let end = context.attempt == 0 ? "nothing was sent" : "it was not sent again"
        return NetworkError(.rateLimited, "\(exceeded)\(reason); \(end)", underlying: exceeded, reach: .no)
    }
}
