import Foundation

/// Messages on their way to a reader, who may be slow: whoever brings them waits until there is room.
final class WebSocketInbox: Sendable {
    fileprivate struct State: Sendable {
        var messages: [WebSocketMessage] = []
        var first = 0
        var size = 0
        var readers: [Int: OneShot<Bool>] = [:]
        var lastReader = 0
        var writer: OneShot<Void>?
        /// Whether whoever brings messages need not wait: the connection has ended, or is to.
        var isLax = false
        var isDiscarding = false
        var end: Result<Void, NetworkError>?
    }

    private let limit: Int
    private let state = Locked(State())

    /// What a message takes beside its bytes: many small ones are to be bounded too.
    fileprivate static let overhead = 64

    init(readAhead limit: Int) { self.limit = max(1, limit) }

    // MARK: The side that brings

    /// Adds a message, and waits until there is room for another.
    func put(_ message: WebSocketMessage) async {
        let room = OneShot<Void>()
        let (reader, mustWait) = state.withLock { state -> (OneShot<Bool>?, Bool) in
            guard state.end == nil, !state.isDiscarding else { return (nil, false) }
            state.messages.append(message)
            state.size += message.size + Self.overhead
            let mustWait = state.size >= limit && !state.isLax
            if mustWait { state.writer = room }
            return (state.readers.popFirst()?.value, mustWait)
        }
        reader?.resolve(true)
        if mustWait { await room.value() }
    }

    /// Whether whoever brings messages waits.
    var isHolding: Bool { state.withLock { $0.writer != nil } }

    /// Begins with a connection: from here on there is waiting for room again.
    func hold() { state.withLock { $0.isLax = false } }

    /// Lets go of whoever waits for room, since the connection has ended.
    ///
    /// - Parameter discards: Whether messages that are still to come are not wanted.
    func release(discarding discards: Bool = false) {
        let writer = state.withLock { state in
            state.isLax = true
            if discards { state.isDiscarding = true }
            return state.writer.take()
        }
        writer?.resolve(())
    }

    /// Ends it. Messages that are there can still be read.
    func finish(throwing error: NetworkError?) {
        let (readers, writer) = state.withLock { state -> ([OneShot<Bool>], OneShot<Void>?) in
            if state.end == nil { state.end = error.map(Result.failure) ?? .success(()) }
            defer { state.readers = [:] }
            return (Array(state.readers.values), state.writer.take())
        }
        for reader in readers { reader.resolve(true) }
        writer?.resolve(())
    }

    // MARK: The side that reads

    fileprivate enum Step: Sendable {
        case message(WebSocketMessage, writer: OneShot<Void>?)
        case end(Result<Void, NetworkError>)
        case wait(Int, OneShot<Bool>)
    }

    /// Waits for the next message.
    ///
    /// - Returns: The message; `nil` at the end.
    /// - Throws: What ended it; `cancelled` if the task was cancelled, which ends only the waiting.
    func next() async throws(NetworkError) -> WebSocketMessage? {
        while true {
            switch state.withLock({ $0.step(limit: limit) }) {
            case .message(let message, let writer):
                writer?.resolve(())
                return message
            case .end(let end):
                try end.get()
                return nil
            case .wait(let number, let signal):
                let isNews = await withTaskCancellationHandler {
                    await signal.value()
                } onCancel: {
                    signal.resolve(false)
                }
                guard !isNews else { continue }
                // Whoever was to wake this reader and came too late has to wake another.
                let other = state.withLock { state -> OneShot<Bool>? in
                    let wasChosen = state.readers.removeValue(forKey: number) == nil
                    return wasChosen ? state.readers.popFirst()?.value : nil
                }
                other?.resolve(true)
                throw NetworkError(.cancelled, reach: .no)
            }
        }
    }
}

extension WebSocketInbox.State {
    fileprivate mutating func step(limit: Int) -> WebSocketInbox.Step {
        guard first < messages.count else {
            if let end { return .end(end) }
            let signal = OneShot<Bool>()
            lastReader += 1
            readers[lastReader] = signal
            return .wait(lastReader, signal)
        }
        let message = messages[first]
        messages[first] = .binary(.init())
        first += 1
        if first == messages.count {
            messages.removeAll(keepingCapacity: true)
            first = 0
        } else if first > 1024, first > messages.count / 2 {
            messages.removeSubrange(..<first)
            first = 0
        }
        size -= message.size + WebSocketInbox.overhead
        return .message(message, writer: size <= limit / 2 ? writer.take() : nil)
    }
}
