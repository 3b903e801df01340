#if canImport(Combine)
    import Combine
    public import Dispatch

    extension WebSocket {
        /// A publisher of the messages of the server. It finishes when the WebSocket is closed in good order, and fails if it is
        /// not.
        ///
        /// Subscribing connects, if nobody has. Each message goes to one subscriber, or to one reader of ``messages``.
        ///
        /// - Parameter queue: Where the messages come; the main queue unless told otherwise.
        public func messagesPublisher(on queue: DispatchQueue = .main) -> SendPublisher<WebSocketMessage, NetworkError>
        {
            SendPublisher(on: queue) { emit in
                do {
                    for try await message in self.messages {
                        guard await emit(message) else { break }
                    }
                    return .finished
                } catch {
                    return .failure(error as? NetworkError ?? NetworkError(.cancelled, underlying: error))
                }
            }
        }

        /// A publisher of what becomes of the WebSocket, the present state first. It finishes after
        /// ``WebSocketState/closed(_:_:)``.
        ///
        /// - Parameter queue: Where the states come; the main queue unless told otherwise.
        public func statesPublisher(on queue: DispatchQueue = .main) -> SendPublisher<WebSocketState, Never> {
            SendPublisher(on: queue, elementsOf: { self.states })
        }
    }
#endif
