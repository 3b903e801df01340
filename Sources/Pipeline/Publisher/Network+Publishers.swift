#if canImport(Combine)
    import Combine
    public import Dispatch

    extension Network {
        /// A publisher of what the server answers, decoded: one value, or an error.
        ///
        /// - Parameters:
        ///   - request: The request. Each subscriber has a send of its own.
        ///   - priority: The priority of the send; that of the subscribing task unless told otherwise.
        ///   - queue: Where the value comes; the main queue unless told otherwise.
        public func publisher<R: Request>(
            for request: R,
            priority: TaskPriority? = nil,
            on queue: DispatchQueue = .main
        ) -> SendPublisher<R.Response, NetworkError> {
            SendPublisher(on: queue) { emit in
                do throws(NetworkError) {
                    _ = await emit(try await self.send(request, priority: priority))
                    return .finished
                } catch { return .failure(error) }
            }
        }

        /// A publisher of the value together with status, header fields, metrics and the number of attempts.
        ///
        /// - Parameters:
        ///   - request: The request. Each subscriber has a send of its own.
        ///   - priority: The priority of the send; that of the subscribing task unless told otherwise.
        ///   - queue: Where the value comes; the main queue unless told otherwise.
        public func replyPublisher<R: Request>(
            for request: R,
            priority: TaskPriority? = nil,
            on queue: DispatchQueue = .main
        ) -> SendPublisher<Reply<R.Response>, NetworkError> {
            SendPublisher(on: queue) { emit in
                do throws(NetworkError) {
                    _ = await emit(try await self.reply(to: request, priority: priority))
                    return .finished
                } catch { return .failure(error) }
            }
        }

        /// A publisher of the response as it is, undecoded.
        ///
        /// - Parameters:
        ///   - request: The request. Each subscriber has a send of its own.
        ///   - priority: The priority of the send; that of the subscribing task unless told otherwise.
        ///   - queue: Where the response comes; the main queue unless told otherwise.
        public func responsePublisher(
            for request: some Request,
            priority: TaskPriority? = nil,
            on queue: DispatchQueue = .main
        ) -> SendPublisher<NetworkResponse, NetworkError> {
            publisher(for: DataRequest<NetworkResponse>(request), priority: priority, on: queue)
        }

        /// A publisher of the states of a send: idle, loading, then loaded or failed. It does not fail.
        ///
        /// - Parameters:
        ///   - request: The request. Each subscriber has a send of its own.
        ///   - priority: The priority of the send; that of the subscribing task unless told otherwise.
        ///   - queue: Where the states come; the main queue unless told otherwise.
        public func statesPublisher<R: Request>(
            of request: R,
            priority: TaskPriority? = nil,
            on queue: DispatchQueue = .main
        ) -> SendPublisher<LoadState<R.Response>, Never> {
            SendPublisher(on: queue, elementsOf: { self.states(of: request, priority: priority) })
        }

        /// A publisher of how far the bodies of a send get, and of the value in the end.
        ///
        /// - Parameters:
        ///   - request: The request. Each subscriber has a send of its own.
        ///   - priority: The priority of the send; that of the subscribing task unless told otherwise.
        ///   - queue: Where the updates come; the main queue unless told otherwise.
        public func updatesPublisher<R: Request>(
            of request: R,
            priority: TaskPriority? = nil,
            on queue: DispatchQueue = .main
        ) -> SendPublisher<TransferUpdates<R.Response>.Update, NetworkError> {
            SendPublisher(on: queue) { emit in
                do {
                    for try await update in self.updates(of: request, priority: priority) {
                        guard await emit(update) else { break }
                    }
                    return .finished
                } catch {
                    return .failure(error as? NetworkError ?? NetworkError(.cancelled, underlying: error))
                }
            }
        }
    }

    extension Endpoints {
        /// A publisher of what the server answers to an endpoint, decoded: one value, or an error.
        ///
        /// - Parameters:
        ///   - endpoint: The endpoint. Each subscriber has a send of its own.
        ///   - type: What the answer is read as; see ``Request/as(_:)``.
        ///   - priority: The priority of the send; that of the subscribing task unless told otherwise.
        ///   - queue: Where the value comes; the main queue unless told otherwise.
        public func publisher<Value: Decodable & Sendable>(
            for endpoint: E,
            as type: Value.Type,
            priority: TaskPriority? = nil,
            on queue: DispatchQueue = .main
        ) -> SendPublisher<Value, NetworkError> {
            network.publisher(for: endpoint.as(type), priority: priority, on: queue)
        }
    }
#endif
