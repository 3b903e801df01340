/// A transport whose attempts end at once when they are told to. The engine waits for those in its own task; any other attempt
/// gets a task of its own, which can be left behind.
protocol DirectTransport: AnyObject, Transport {
    /// Begins an attempt.
    ///
    /// - Parameters:
    ///   - request: The request, which has passed ``NetworkRequest/check()``.
    ///   - origin: Where it goes, as the check found.
    /// - Throws: ``NetworkError`` if the request is refused; then nothing was begun.
    func begin(_ request: NetworkRequest, to origin: Origin) throws -> any DirectAttempt
}

/// An attempt that has begun.
protocol DirectAttempt: AnyObject, Sendable {
    /// Waits for the head of the response. Cancelling the task ends it at once.
    func response() async throws -> NetworkResponse

    /// Ends the attempt with an error, at once, unless its response is there already.
    func stop(with error: NetworkError)
}
