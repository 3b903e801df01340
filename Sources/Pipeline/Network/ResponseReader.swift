/// What a send does with its request and its response, without their types.
///
/// Whatever waits in a generic function looks up its types anew each time it goes on. So the engine knows one response, and
/// the types are left to whoever reads it.
protocol ResponseReading: Sendable {
    /// What is asked.
    var request: any Request { get }

    /// Reads the value out of the response, and keeps it.
    func read(_ response: NetworkResponse) async throws
}

/// Reads the response of a request and keeps the value for whoever asked.
final class ResponseReader<R: Request>: ResponseReading {
    private let typed: R
    private nonisolated(unsafe) var value: R.Response?  // Written by the send's task, read by who waited for it.

    init(_ request: R) {
        typed = request
    }

    var request: any Request { typed }

    func read(_ response: NetworkResponse) async throws {
        value = try await typed.response(from: response)
    }

    /// The value that was read, once.
    func takeValue() -> R.Response {
        guard let value = value.take() else {
            preconditionFailure("a send that succeeded has read its value, and is asked for it once")
        }
        return value
    }
}
