import Foundation

extension ServerSentEvents {
    /// Events and what becomes of the connection, in the order in which it happens.
    public struct Updates: AsyncSequence, Sendable {
        public typealias Element = Update

        let network: Network
        let policy: ReconnectionPolicy
        let lastEventID: String
        let limit: Int
        let makeRequest: @Sendable (_ lastEventID: String) -> any Request<NetworkResponse>

        /// Begins to read.
        public func makeAsyncIterator() -> Iterator { Iterator(self) }

        /// Reads ``ServerSentEvents/Updates``.
        public struct Iterator: AsyncIteratorProtocol {
            private enum Step {
                case begin
                case connect
                case read(NetworkResponse)
                case wait(Duration)
                case end
            }

            private let stream: Updates
            private var step = Step.begin
            private var chunks: ResponseBody.Iterator?
            private var parser: ServerSentEventParser
            private var told: Duration?
            /// How many connections in a row could not be made.
            private var failures = 0

            init(_ stream: Updates) {
                self.stream = stream
                parser = ServerSentEventParser(lastEventID: stream.lastEventID, upTo: stream.limit)
            }

            /// Waits for what happens next.
            ///
            /// - Returns: What has happened, or `nil` once the server has answered 204.
            /// - Throws: ``NetworkError`` for what another connection would not mend, cancellation included.
            public mutating func next() async throws -> Update? {
                switch step {
                case .begin:
                    step = .connect
                    return .connecting
                case .connect:
                    return try await connect()
                case .read(let response):
                    return try await read(from: response)
                case .wait(let pause):
                    try await wait(for: pause)
                    step = .connect
                    return .connecting
                case .end:
                    return nil
                }
            }

            private mutating func connect() async throws(NetworkError) -> Update? {
                let response: NetworkResponse
                do {
                    response = try await stream.network.send(stream.makeRequest(parser.lastEventID))
                } catch {
                    failures += 1
                    return try drop(error)
                }
                guard response.status != .noContent else {
                    response.body.discard()
                    step = .end
                    return nil
                }
                guard response.mimeType == "text/event-stream" else {
                    let type = response.mimeType ?? "of no type"
                    let error = NetworkError(.unacceptableContentType, "the body is \(type), not text/event-stream")
                    throw end(response, with: error)
                }
                failures = 0
                chunks = response.body.makeAsyncIterator()
                parser = ServerSentEventParser(lastEventID: parser.lastEventID, upTo: stream.limit)
                step = .read(response)
                var head = response
                head.body = .empty
                return .opened(head)
            }

            private mutating func read(from response: NetworkResponse) async throws(NetworkError) -> Update {
                while true {
                    do {
                        if let event = try parser.next() { return .event(event) }
                    } catch {
                        throw end(response, with: error)
                    }
                    told = parser.retry ?? told
                    let chunk: Data?
                    do { chunk = try await chunks?.nextChunk() } catch { return try drop(error) }
                    guard let chunk else { return try drop(nil) }
                    parser.append(chunk)
                }
            }

            /// Lets go of a connection that has ended, and decides whether there will be another.
            private mutating func drop(_ error: NetworkError?) throws(NetworkError) -> Update {
                chunks = nil
                if let error {
                    let isLast = failures > 0 && stream.policy.maximumFailures.map { failures >= $0 } ?? false
                    guard !isLast, stream.policy.reconnects(after: error) else {
                        step = .end
                        throw error
                    }
                }
                var generator = SystemRandomNumberGenerator()
                let pause = stream.policy.pause(after: failures, told: told, using: &generator)
                step = .wait(pause)
                return .dropped(error, reconnectsIn: pause)
            }

            private mutating func wait(for pause: Duration) async throws(NetworkError) {
                do {
                    try await stream.network.core.configuration.time.sleep(for: pause, purpose: .reconnection)
                } catch {
                    step = .end
                    throw NetworkError(.cancelled, underlying: error, reach: .no)
                }
            }

            /// Ends the stream for a fault of what came.
            private mutating func end(_ response: NetworkResponse, with error: NetworkError) -> NetworkError {
                let error = response.describing(error, in: .body)
                response.body.stream?.end(with: .failed(error))
                chunks = nil
                step = .end
                return error
            }
        }
    }
}
