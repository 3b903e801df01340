public import Foundation
public import Pipeline

/// A transport whose other end is the test.
///
/// The test waits until the code under test has sent something, looks at it, and answers. Nothing depends on time: both
/// sides wait for each other.
///
///     let server = ConversationTransport()
///     let network = Network(baseURL: api, transport: server)
///     async let user = network.send(GetUser(id: 7))
///
///     let exchange = await server.nextExchange()
///     #expect(exchange.request.url.path == "/users/7")
///     exchange.respond(status: 200, body: #"{"name": "Ada"}"#)
///
///     #expect(try await user.name == "Ada")
public final class ConversationTransport: Transport {
    private let arrivals = Mailbox<Exchange>()
    private let wasShutDown = Locked(false)

    /// What the transport claims to be able to do.
    public let capabilities: TransportCapabilities

    /// Creates a transport.
    ///
    /// - Parameter capabilities: What it claims to be able to do.
    public init(capabilities: TransportCapabilities = [.backPressure, .streamedRequests, .exactHeaders, .trailers]) {
        self.capabilities = capabilities
    }

    /// Waits for the next attempt.
    ///
    /// Attempts come in the order in which they were made, each once. If the test is cancelled, by its time limit say, this
    /// returns an exchange with nobody.
    public func nextExchange() async -> Exchange {
        await arrivals.next(orWhenCancelled: Exchange(NetworkRequest(url: Self.nowhere)))
    }

    private static let nowhere = URL(string: "http://cancelled.invalid")!

    /// How many attempts wait for ``nextExchange()``. An attempt that nobody asked for is a mistake in most tests.
    public var pendingExchanges: Int { arrivals.count }

    public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        guard !wasShutDown.withLock({ $0 }) else { throw NetworkError(.transportUnavailable, reach: .no) }
        let exchange = Exchange(request)
        return try await withTaskCancellationHandler {
            arrivals.put(exchange)
            return try await exchange.answer.value().get()
        } onCancel: {
            exchange.cancel()
        }
    }

    public func shutdown() async {
        wasShutDown.withLock { $0 = true }
    }

    /// One attempt, to be answered by the test.
    public final class Exchange: Sendable {
        /// The request as it was sent.
        public let request: NetworkRequest

        fileprivate let answer = OneShot<Result<NetworkResponse, any Error>>()
        private let cancellation = OneShot<Void>()
        private let cancelled = Locked(false)

        fileprivate init(_ request: NetworkRequest) {
            self.request = request
        }

        /// Answers with a response that has come whole.
        public func respond(status: HTTPStatus = 200, headers: HTTPHeaders = [:], body: String = "") {
            respond(status: status, headers: headers, body: Data(body.utf8))
        }

        /// Answers with a response that has come whole.
        public func respond(status: HTTPStatus = 200, headers: HTTPHeaders = [:], body: Data) {
            answer.resolve(
                .success(NetworkResponse(status: status, headers: headers, body: .bytes(body), request: request))
            )
        }

        /// Answers with the head of a response; the test writes the body into the pipe and ends it.
        ///
        /// - Parameters:
        ///   - status: The status, 200 unless told otherwise.
        ///   - headers: The header fields.
        ///   - expectedLength: The length that the response announces.
        ///   - onCancel: Called when nobody reads the body any more.
        /// - Returns: The writing end of the body.
        public func respondStreaming(
            status: HTTPStatus = 200,
            headers: HTTPHeaders = [:],
            expectedLength: Int? = nil,
            onCancel: @escaping @Sendable () -> Void = {}
        ) -> BodyPipe {
            let pipe = BodyPipe(onCancel: onCancel)
            let stream = BodyStream(pipe, expectedLength: expectedLength)
            answer.resolve(
                .success(NetworkResponse(status: status, headers: headers, body: .stream(stream), request: request))
            )
            return pipe
        }

        /// Fails the attempt.
        public func fail(_ error: any Error) {
            answer.resolve(.failure(error))
        }

        /// Waits until the attempt is cancelled.
        public func untilCancelled() async {
            await cancellation.valueOrCancellation()
        }

        /// Whether the attempt was cancelled.
        public var isCancelled: Bool { cancelled.withLock { $0 } }

        fileprivate func cancel() {
            cancelled.withLock { $0 = true }
            answer.resolve(.failure(CancellationError()))
            cancellation.resolve(())
        }
    }
}
