/// What a send came to: a response of any status, or the error that stands in its place.
public typealias Outcome = Result<NetworkResponse, NetworkError>

/// An action that works on requests before they are sent.
public protocol RequestWillBeginAction: Action {
    /// Changes the request, answers it, or refuses it.
    ///
    /// It runs once per send, or once per hop for an action of the hop zone, and again after each retry that this action or
    /// one further out asked for. Edits do not pile up: a retry starts from the request as it first came here. An action
    /// that answers or throws is not told the outcome of that pass.
    ///
    /// - Parameter request: The request as the actions further out made it.
    /// - Throws: Anything; it ends the pass as the cause of an `action-failed` error, unless it is a ``NetworkError``.
    func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision
}

/// An action that is told when an attempt begins.
public protocol RequestBeganAction: Action {
    /// Takes notice of an attempt. It runs on the send's task, before the transport is given the request.
    ///
    /// - Parameter request: The request as it is sent.
    func requestBegan(_ request: NetworkRequest)
}

/// An action that is told when the head of a response is in.
public protocol ResponseBeganAction: Action {
    /// Takes notice of a response, before its body is read. It runs on the send's task.
    ///
    /// - Parameters:
    ///   - response: The response; its body may be a stream still, which must be left alone.
    ///   - request: The request as it was sent.
    func responseBegan(_ response: NetworkResponse, for request: NetworkRequest)
}

/// An action that works on outcomes.
public protocol ResponseCompletedAction: Action {
    /// Passes the outcome on, changes it, or asks for a retry.
    ///
    /// It runs once for each pass in which this action let the request through, whatever happened further in: a response of
    /// any status, a failure, a time limit, cancellation. What the action's will-begin acquired can be released here.
    ///
    /// - Parameters:
    ///   - outcome: What came back. To pass it on, return `.deliver(try outcome.get())`.
    ///   - request: The request as this action passed it on.
    /// - Throws: What is then the outcome for the actions further out. An error that is no ``NetworkError`` becomes the
    ///   cause of an `action-failed` error.
    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision
}

/// What an action does with a request.
public enum RequestDecision: Sendable {
    /// Sends it on, as it is here.
    case proceed(NetworkRequest)
    /// Answers it, without the actions further in and without the transport.
    case respond(NetworkResponse)
}

/// What an action does with an outcome.
public enum ResponseDecision: Sendable {
    /// Hands a response to the actions further out.
    case deliver(NetworkResponse)
    /// Waits, then runs this action and all that is further in once more.
    ///
    /// The request that enters again is `with`, or the one that first came to this action. A retry that cannot be carried
    /// out (a body that can be read once only, a pause beyond the deadline, too many retries) is refused: then the outcome
    /// stays what it was, and the refusal shows in the events and in the final error.
    case retry(after: Duration, with: NetworkRequest? = nil)
}
