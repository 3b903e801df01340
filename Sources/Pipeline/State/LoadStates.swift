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

    private let start: @Sendable () -> any RunningTransfer<Value>

    init(_ start: @escaping @Sendable () -> any RunningTransfer<Value>) {
        self.start = start
    }

    /// Prepares a send, which begins when the iterator is asked for the second state.
    public func makeAsyncIterator() -> Iterator { Iterator(start) }

    /// Reads ``LoadStates``.
    public struct Iterator: AsyncIteratorProtocol {
        private let reading: Reading

        fileprivate init(_ start: @escaping @Sendable () -> any RunningTransfer<Value>) {
            reading = Reading(start)
        }

        /// Waits for the next state.
        ///
        /// - Returns: The state, or `nil` after a value or an error.
        public mutating func next() async -> LoadState<Value>? { await reading.next() }

        /// Waits for the next state.
        ///
        /// - Returns: The state, or `nil` after a value or an error.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> LoadState<Value>? {
            await reading.next()
        }
    }

    /// What an iterator holds, and lets go of with it.
    private final class Reading {
        private enum Step {
            case idle(@Sendable () -> any RunningTransfer<Value>)
            case begin(@Sendable () -> any RunningTransfer<Value>)
            case read(any RunningTransfer<Value>)
            case end
        }

        private var step: Step

        init(_ start: @escaping @Sendable () -> any RunningTransfer<Value>) { step = .idle(start) }

        deinit {
            if case .read(let transfer) = step { transfer.stop() }
        }

        func next() async -> LoadState<Value>? {
            switch step {
            case .idle(let start):
                step = .begin(start)
                return .idle
            case .begin(let start):
                step = .read(start())
                return .loading(nil)
            case .read(let transfer):
                if let progress = await transfer.next() { return .loading(progress) }
                step = .end
                do throws(NetworkError) { return .loaded(try await transfer.value()) } catch { return .failed(error) }
            case .end:
                return nil
            }
        }
    }
}
