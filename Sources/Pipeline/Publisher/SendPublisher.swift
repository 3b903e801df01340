#if canImport(Combine)
    public import Combine
    import Dispatch

    /// A publisher of what becomes of sends: values, states, progress, messages.
    ///
    /// It is cold: nothing happens until somebody subscribes and asks for a value, and each subscriber has a send of its own.
    /// Cancelling the subscription, or letting go of it, cancels the send. Values, and the completion, come on the main queue
    /// unless told otherwise, in order, and none after the subscription was cancelled. Who asks for few values holds the send
    /// back.
    public struct SendPublisher<Output: Sendable, Failure: Error & Sendable>: Publisher {
        /// Does the work and hands on values as they come, until it is told that nobody wants more.
        typealias Work = @Sendable (_ emit: @Sendable (Output) async -> Bool) async -> Subscribers.Completion<Failure>

        private let queue: DispatchQueue
        private let work: Work

        /// - Parameters:
        ///   - queue: Where values come.
        ///   - work: What is done for each subscriber.
        init(on queue: DispatchQueue, _ work: @escaping Work) {
            self.queue = queue
            self.work = work
        }

        /// - Parameters:
        ///   - queue: Where values come.
        ///   - makeSequence: Makes the sequence that a subscriber gets the elements of.
        init<Elements: AsyncSequence & SendableMetatype>(
            on queue: DispatchQueue,
            elementsOf makeSequence: @escaping @Sendable () -> Elements
        )
        where Elements.Element == Output, Elements.Failure == Never, Failure == Never {
            self.init(on: queue) { emit in
                for await element in makeSequence() {
                    guard await emit(element) else { break }
                }
                return .finished
            }
        }

        /// Prepares a send for a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            subscriber.receive(subscription: SendSubscription(subscriber, on: queue, work))
        }
    }

    /// One send for one subscriber.
    ///
    /// It does not know the type of the subscriber, which closures for other threads could not take along.
    private final class SendSubscription<Input: Sendable, Failure: Error & Sendable>: Subscription, Sendable {
        private let gate = DemandGate()
        private let queue: DispatchQueue
        private let work: SendPublisher<Input, Failure>.Work
        private nonisolated(unsafe) let subscriber: any Subscriber<Input, Failure>  // It is called on the queue only.
        private let state = Locked(State())

        private struct State: Sendable {
            var task: Task<Void, Never>?
            var isOver = false
        }

        init(
            _ subscriber: any Subscriber<Input, Failure>,
            on queue: DispatchQueue,
            _ work: @escaping SendPublisher<Input, Failure>.Work
        ) {
            self.subscriber = subscriber
            self.queue = queue
            self.work = work
        }

        func request(_ demand: Subscribers.Demand) {
            guard demand > 0 else { return }
            gate.want(demand.max)
            state.withLock { state in
                guard state.task == nil, !state.isOver else { return }
                state.task = Task { await self.run() }
            }
        }

        func cancel() {
            let task = state.withLock { state in
                state.isOver = true
                return state.task.take()
            }
            gate.close()
            task?.cancel()
        }

        private func run() async {
            let completion = await work { value in
                guard await self.gate.pass() else { return false }
                self.queue.async {
                    guard self.isOpen else { return }
                    let more = self.subscriber.receive(value)
                    if more > 0 { self.gate.want(more.max) }
                }
                return true
            }
            queue.async {
                guard self.isOpen else { return }
                self.state.withLock { $0.isOver = true }
                self.subscriber.receive(completion: completion)
            }
        }

        private var isOpen: Bool { state.withLock { !$0.isOver } }
    }
#endif
