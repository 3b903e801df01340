/// One send from its beginning to its end: what can stop it, and what ends with it.
///
/// A send ends early for one reason only, whichever came first: cancellation or the total time limit. Stopping it cancels
/// its task, which ends every wait of the engine, and ends its stream if the body has been handed over as one.
final class RunningSend: Sendable {
    let id = SendID()
    let start: Duration
    let core: NetworkCore

    private struct State {
        var phase = InFlightSend.Phase.building
        var context: SendContext?
        var task: (any CancellableTask)?
        var stopReason: NetworkError?
        var limit: (any TimeLimitHandle)?
        weak var stream: BodyStream?
        /// Whether the task is done: what it returns must not be held here.
        var hasReturned = false
        var isOver = false
    }

    private let state = Locked(State())

    init(core: NetworkCore) {
        self.core = core
        start = core.configuration.time.now
        core.registry.add(self)
    }

    /// Why the send must stop, if it must.
    var stopReason: NetworkError? { state.withLock { $0.stopReason } }

    var snapshot: InFlightSend {
        let (phase, context) = state.withLock { ($0.phase, $0.context) }
        return InFlightSend(
            id: id,
            tag: context?.tag,
            phase: phase,
            attempt: context?.attempt ?? 0,
            age: core.configuration.time.now - start
        )
    }

    var tag: String? { state.withLock { $0.context?.tag } }

    func enter(_ phase: InFlightSend.Phase) {
        state.withLock { $0.phase = phase }
    }

    /// Takes the task that the send runs in. If the send was stopped before it had one, the task is cancelled at once.
    func adopt(_ task: some CancellableTask) {
        let isStopped = state.withLock { state in
            if !state.hasReturned { state.task = task }
            return state.stopReason != nil
        }
        if isStopped { task.cancel() }
    }

    /// Takes the context once the request is built, and starts the total time limit, counted from the beginning.
    func adopt(_ context: SendContext, totalLimit: Duration?) {
        let limit = totalLimit.flatMap { total -> (any TimeLimitHandle)? in
            guard total < .unlimited else { return nil }
            let left = max(.zero, total - (core.configuration.time.now - start))
            // The limit may know the send: it is lifted at the end.
            return core.configuration.time.startLimit(of: left) { [self] in stop(NetworkError(.timedOut)) }
        }
        state.withLock { state in
            state.context = context
            state.limit = limit
        }
    }

    /// Takes the stream that will be handed to the caller: the send lasts until its end.
    func adopt(_ stream: BodyStream) {
        let stopReason = state.withLock { state in
            state.stream = stream
            return state.stopReason
        }
        if let stopReason { stream.end(with: BodyStream.End(stopReason)) }
    }

    /// Ends the send early. The first reason counts; after the end there is nothing to stop.
    func stop(_ reason: NetworkError) {
        let (task, stream) = state.withLock { state -> ((any CancellableTask)?, BodyStream?) in
            guard state.stopReason == nil, !state.isOver else { return (nil, nil) }
            state.stopReason = reason
            return (state.task, state.stream)
        }
        task?.cancel()
        stream?.end(with: BodyStream.End(reason))
    }

    /// Lifts the total time limit, since all bytes are in; what stays is cancellation.
    func liftLimit() {
        state.withLock { $0.limit.take() }?.lift()
    }

    /// The end of the task, which leaves the end of the send to the stream it returns.
    func leaveToStream() {
        let task = state.withLock { state in
            state.phase = .streaming
            state.hasReturned = true
            return state.task.take()
        }
        _ = task  // Released outside the lock, with whatever the task holds.
    }

    /// The end of the send, or of its stream.
    func finish() {
        let (limit, context, task) = state.withLock { state in
            state.isOver = true
            state.hasReturned = true
            return (state.limit.take(), state.context, state.task.take())
        }
        _ = task
        limit?.lift()
        context?.end()
        core.registry.remove(id)
    }
}

/// A task of any result: all that a send needs of its own. A closure that cancels would be allocated, this is not.
protocol CancellableTask: Sendable {
    func cancel()
}

extension Task: CancellableTask {}

extension BodyStream.End {
    fileprivate init(_ reason: NetworkError) {
        self = reason.isCancellation ? .cancelled : .failed(reason)
    }
}
