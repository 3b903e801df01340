public import Foundation
public import Pipeline

/// An outcome that a decision of the application's own is asked about (``RetryPolicy/decide``).
public struct RetryCandidate: Sendable {
    /// What came back.
    public let outcome: Outcome

    /// The request as it was passed on.
    public let request: NetworkRequest

    /// Which attempt this was, counted from 1.
    public let attempt: Int

    /// Creates a candidate, for tests of a decision.
    public init(outcome: Outcome, request: NetworkRequest, attempt: Int = 1) {
        self.outcome = outcome
        self.request = request
        self.attempt = attempt
    }

    /// The response, if there is one: the outcome's, or the one that its error is about.
    public var response: NetworkResponse? {
        switch outcome {
        case .success(let response): response
        case .failure(let error): error.response
        }
    }

    /// The status of the response, if there is one.
    public var status: HTTPStatus? { response?.status }

    /// The beginning of the body; a streamed one stays whole for its reader.
    ///
    /// - Parameter limit: How many bytes at most.
    /// - Returns: The first bytes; none if there is no body, or it cannot be looked at.
    public func bodyPrefix(upTo limit: Int) async -> Data {
        guard let body = response?.body, limit > 0 else { return Data() }
        if let data = body.data { return data.prefix(limit) }
        if let stream = body.stream { return (try? await stream.peek(upTo: limit)) ?? Data() }
        guard let file = body.file, let handle = try? FileHandle(forReadingFrom: file) else { return Data() }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: limit)) ?? Data()
    }
}

/// What a decision of the application's own comes to (``RetryPolicy/decide``).
public enum RetryOpinion: Sendable, Hashable {
    /// As the rest of the policy says.
    case asUsual
    /// The outcome is worth another attempt, after this pause, or one as the rest of the policy says.
    case retry(after: Duration? = nil)
    /// The outcome stands.
    case giveUp
}
