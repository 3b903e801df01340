import Foundation
public import Pipeline

/// A transport that plays answers from a list or a closure and remembers what it was sent.
///
///     let server = ScriptedTransport([.status(503), .json(#"{"name": "Ada"}"#)])
///
/// An attempt for which the list has no answer fails with a message that says so.
public final class ScriptedTransport: Transport {
    /// An answer to one attempt.
    public struct Answer: Sendable {
        private let play: @Sendable (NetworkRequest) throws -> NetworkResponse

        /// Answers by a closure.
        public init(_ play: @escaping @Sendable (NetworkRequest) throws -> NetworkResponse) {
            self.play = play
        }

        /// A response with a status, empty unless told otherwise.
        public static func status(_ status: HTTPStatus, headers: HTTPHeaders = [:], body: String = "") -> Answer {
            Answer { request in
                NetworkResponse(status: status, headers: headers, body: .bytes(Data(body.utf8)), request: request)
            }
        }

        /// A response with JSON, its status 200 unless told otherwise.
        public static func json(_ body: String, status: HTTPStatus = 200) -> Answer {
            .status(status, headers: [.contentType: "application/json"], body: body)
        }

        /// A response whose body is a stream of these chunks.
        public static func chunks(_ chunks: [String], status: HTTPStatus = 200, headers: HTTPHeaders = [:]) -> Answer {
            Answer { request in
                let pipe = BodyPipe()
                for chunk in chunks { pipe.write(Data(chunk.utf8)) }
                pipe.finish()
                return NetworkResponse(
                    status: status,
                    headers: headers,
                    body: .stream(BodyStream(pipe)),
                    request: request
                )
            }
        }

        /// A redirect.
        public static func redirect(to location: String, status: HTTPStatus = 302) -> Answer {
            .status(status, headers: [.location: location])
        }

        /// A failure.
        public static func failure(_ error: any Error) -> Answer {
            Answer { _ in throw error }
        }

        fileprivate func callAsFunction(_ request: NetworkRequest) throws -> NetworkResponse { try play(request) }
    }

    private struct State: Sendable {
        var requests: [NetworkRequest] = []
        var answers: [Answer]
    }

    private let state: Locked<State>
    private let always: Answer?

    /// What the transport claims to be able to do.
    public let capabilities: TransportCapabilities = [.backPressure, .streamedRequests, .exactHeaders]

    /// Creates a transport that plays answers in their order, each once.
    public init(_ answers: [Answer]) {
        state = Locked(State(answers: answers))
        always = nil
    }

    /// Creates a transport that answers every request by a closure.
    public init(_ answer: @escaping @Sendable (NetworkRequest) throws -> NetworkResponse) {
        state = Locked(State(answers: []))
        always = Answer(answer)
    }

    /// The requests so far, as they were sent.
    public var requests: [NetworkRequest] { state.withLock { $0.requests } }

    public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        let answer = state.withLock { state -> Answer? in
            state.requests.append(request)
            return always ?? (state.answers.isEmpty ? nil : state.answers.removeFirst())
        }
        guard let answer else {
            throw NetworkError(.transportUnavailable, "the script has no answer left for \(request)", reach: .no)
        }
        return try answer(request)
    }
}
