extension Network {
    /// The states of a send, in their order.
    ///
    ///     for await state in network.states(of: GetUser(id: 7)) {
    ///         switch state {
    ///         case .idle: break
    ///         case .loading(let progress): show(progress?.fraction)
    ///         case .loaded(let user): show(user)
    ///         case .failed(let error): show(error)
    ///         }
    ///     }
    ///
    /// First ``LoadState/idle``; then ``LoadState/loading(_:)`` without a progress, when the send begins, and again with each
    /// progress; then exactly one of ``LoadState/loaded(_:)`` and ``LoadState/failed(_:)``; then the sequence ends. A slow reader
    /// gets the latest progress, not all there was.
    ///
    /// Nothing is sent until somebody reads; each iterator makes a send of its own. Ending the iteration early, or cancelling
    /// the task that reads, cancels the send.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - priority: The priority of the send; the reading task's unless told otherwise.
    public func states<R: Request>(of request: R, priority: TaskPriority? = nil) -> LoadStates<R.Response> {
        LoadStates { MeteredSend(request, on: self, priority: priority) }
    }
}

/// The states of a send, as a sequence: ``Network/states(of:priority:)``. It never throws: a failure is a state.
public struct LoadStates<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = LoadState<Value>
    public typealias Failure = Never

    private let updates: TransferUpdates<Value>

    init(_ start: @escaping @Sendable () -> any RunningTransfer<Value>) {
        updates = TransferUpdates(start)
    }

    /// Prepares a send, which begins when the iterator is asked for the second state.
    public func makeAsyncIterator() -> Iterator { Iterator(updates) }

    /// Reads ``LoadStates``.
    public struct Iterator: AsyncIteratorProtocol {
        private enum Step {
            case idle
            case begin
            case read
            case end
        }

        private var step = Step.idle
        private var updates: TransferUpdates<Value>.Iterator

        fileprivate init(_ updates: TransferUpdates<Value>) {
            self.updates = updates.makeAsyncIterator()
        }

        /// Waits for the next state.
        ///
        /// - Returns: The state, or `nil` after a value or an error.
        public mutating func next() async -> LoadState<Value>? { await next(isolation: #isolation) }

        /// Waits for the next state.
        ///
        /// - Returns: The state, or `nil` after a value or an error.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> LoadState<Value>? {
            switch step {
            case .idle:
                step = .begin
                return .idle
            case .begin:
                step = .read
                updates.begin()
                return .loading(nil)
            case .read:
                do throws(NetworkError) {
                    let update = try await updates.read()
                    if case .progress(let progress) = update { return .loading(progress) }
                    step = .end
                    if case .finished(let value) = update { return .loaded(value) }
                    return nil
                } catch {
                    step = .end
                    return .failed(error)
                }
            case .end:
                return nil
            }
        }
    }
}
