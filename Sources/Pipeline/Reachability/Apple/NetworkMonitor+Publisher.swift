#if canImport(Combine)
    public import Combine
    import Dispatch

    extension NetworkMonitor {
        /// The present path, then every change; to a slow subscriber only the last one. It never ends. Values come on a queue of
        /// the publisher's own: `receive(on:)` brings them elsewhere.
        public var publisher: AnyPublisher<NetworkPath, Never> {
            PathPublisher(monitor: self).eraseToAnyPublisher()
        }
    }

    private struct PathPublisher: Publisher {
        typealias Output = NetworkPath
        typealias Failure = Never

        let monitor: NetworkMonitor

        func receive<S: Subscriber>(subscriber: S) where S.Input == NetworkPath, S.Failure == Never {
            let feed = Feed(monitor.currentPath)
            let observation = monitor.onChange(on: DispatchQueue(label: "pipeline.network-publisher"), feed.send)
            feed.subject.receive(subscriber: PathSubscriber(base: subscriber, observation: observation))
        }

        private final class Feed: @unchecked Sendable {  // Combine's subjects may be used on any thread.
            let subject: CurrentValueSubject<NetworkPath, Never>

            init(_ path: NetworkPath) { subject = CurrentValueSubject(path) }

            @Sendable func send(_ path: NetworkPath) {
                if path != subject.value { subject.send(path) }
            }
        }
    }

    /// A subscriber whose subscription holds on to what feeds it.
    private struct PathSubscriber<Base: Subscriber>: Subscriber where Base.Input == NetworkPath, Base.Failure == Never {
        let combineIdentifier = CombineIdentifier()
        let base: Base
        let observation: NetworkObservation

        func receive(subscription: any Subscription) {
            base.receive(subscription: PathSubscription(base: subscription, observation: observation))
        }

        func receive(_ input: NetworkPath) -> Subscribers.Demand { base.receive(input) }

        func receive(completion: Subscribers.Completion<Never>) { base.receive(completion: completion) }
    }

    private final class PathSubscription: Subscription {
        private let base: any Subscription
        private let observation: NetworkObservation

        init(base: any Subscription, observation: NetworkObservation) {
            self.base = base
            self.observation = observation
        }

        func request(_ demand: Subscribers.Demand) { base.request(demand) }

        func cancel() {
            observation.cancel()
            base.cancel()
        }
    }
#endif
