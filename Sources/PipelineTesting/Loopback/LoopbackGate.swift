import Foundation
import Pipeline

/// A gate at which a ``LoopbackServer`` waits until a test opens it.
///
/// It replaces sleeping in tests: the server holds an answer, or leaves a body unread, for exactly as long as the test
/// needs.
///
///     let gate = LoopbackGate()
///     server.handle("GET", "/slow") { _ in .json("{}").after(.wait(gate)) }
///     // … start a request and look at what happens while it hangs …
///     gate.open()
///
/// One gate can hold any number of connections, of any number of servers. As a barrier it opens by itself when the last
/// party has arrived: `LoopbackGate(opensAfter: 100)` lets nobody pass before a hundred requests wait at once.
public final class LoopbackGate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var nextID = 0
        var parties: [Int: LoopbackWakeUp] = [:]
        var observers: [Int: (count: Int, continuation: CheckedContinuation<Void, Never>)] = [:]

        mutating func freshID() -> Int {
            nextID += 1
            return nextID
        }
    }

    private let state = Locked(State())
    private let quorum: Int?

    /// A gate that is closed until ``open()`` is called.
    public init() {
        quorum = nil
    }

    /// A gate that opens by itself when this many parties have arrived, or when ``open()`` is called before.
    ///
    /// - Precondition: `count` is at least 1.
    public init(opensAfter count: Int) {
        precondition(count >= 1, "a barrier needs at least one party, got \(count)")
        quorum = count
    }

    /// Lets everybody pass who waits, and everybody who comes later. A second call does nothing.
    public func open() {
        let parties = state.withLock { state in
            state.isOpen = true
            return Self.drain(&state.parties)
        }
        for party in parties { party.wakeUp() }
    }

    /// Whether the gate has been opened.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// How many times somebody has arrived at the gate, whether it was open or not.
    public var arrivals: Int { state.withLock { $0.arrivals } }

    /// Suspends until somebody has arrived at the gate `count` times, counted from its creation.
    ///
    /// So a test knows that the server stands where it wants it, before it goes on. Returns early if the task is cancelled.
    public func arrival(_ count: Int = 1) async {
        let id = state.withLock { $0.freshID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isOver = state.withLock { state in
                    if state.arrivals >= count || Task.isCancelled { return true }
                    state.observers[id] = (count, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.observers.removeValue(forKey: id)?.continuation }?.resume()
        }
    }

    /// Counts one arrival. Returns a ticket to leave with if the gate is closed, nil if there is no need to wait.
    func arrive(_ wakeUp: () throws -> LoopbackWakeUp) rethrows -> Int? {
        let opens = state.withLock { state in
            state.arrivals += 1
            return state.arrivals == quorum
        }
        if opens { open() }
        defer { notifyObservers() }
        if isOpen { return nil }
        let party = try wakeUp()
        return state.withLock { state in
            if state.isOpen { return nil }
            let id = state.freshID()
            state.parties[id] = party
            return id
        }
    }

    /// Takes back a ticket: its holder waits no longer.
    func leave(_ ticket: Int) {
        _ = state.withLock { $0.parties.removeValue(forKey: ticket) }
    }

    private func notifyObservers() {
        let due = state.withLock { state in
            let arrivals = state.arrivals
            let due = state.observers.filter { $0.value.count <= arrivals }
            for id in due.keys { state.observers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    private static func drain(_ parties: inout [Int: LoopbackWakeUp]) -> [LoopbackWakeUp] {
        defer { parties = [:] }
        return Array(parties.values)
    }
}
