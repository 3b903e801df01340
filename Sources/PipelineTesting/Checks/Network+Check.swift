import Foundation
public import Pipeline
import PipelineActions

// One line a check, under any test library: what does not hold is thrown, and its text says all there is to know.
extension Network {
    /// Sends a request and makes sure of the status of the answer.
    ///
    ///     try await network.check(GetTodo(id: 1), answers: .ok)
    ///     try await network.check(GetTodo(id: 1), answers: .ok, mocked: true)
    ///
    /// The body is not decoded. All statuses are accepted on the way; redirects are followed as usual.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - status: The status it must be answered with.
    ///   - mocked: Whether the mock of the request is asked instead of the transport; it is not unless told otherwise. All actions take
    ///     part.
    /// - Returns: The response.
    /// - Throws: ``CheckFailure`` if the status is another or there is no answer.
    @discardableResult
    public func check(
        _ request: some Request,
        answers status: HTTPStatus,
        mocked: Bool = false
    ) async throws(CheckFailure) -> NetworkResponse {
        let expectation = Expectation(status: status, value: nil)
        return try await checked(request, expectation, mocked: mocked) { $0 }
    }

    /// Sends a request and makes sure of the status of the answer, and that it can be read.
    ///
    ///     let todo = try await network.check(GetTodo(id: 1), answers: .ok, as: Todo.self)
    ///
    /// The request reads the answer. To have it read as something else, wrap it: ``/Pipeline/DataRequest``.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - status: The status it must be answered with; the body of an error can be checked too.
    ///   - type: The type of the value.
    ///   - mocked: Whether the mock of the request is asked instead of the transport; it is not unless told otherwise.
    /// - Returns: The value.
    /// - Throws: ``CheckFailure`` if the status is another, the answer cannot be read, or there is none.
    @discardableResult
    public func check<R: Request>(
        _ request: R,
        answers status: HTTPStatus,
        as type: R.Response.Type,
        mocked: Bool = false
    ) async throws(CheckFailure) -> R.Response {
        let expectation = Expectation(status: status, value: "a \(type)")
        return try await checked(request, expectation, mocked: mocked) { try await request.response(from: $0) }
    }

    /// Sends a request and makes sure of the status of the answer and of the value in it.
    ///
    ///     try await network.check(GetTodo(id: 1), answers: .ok, with: Todo(id: 1, title: "Milk"))
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - status: The status it must be answered with.
    ///   - value: What the answer must be read as.
    ///   - mocked: Whether the mock of the request is asked instead of the transport; it is not unless told otherwise.
    /// - Throws: ``CheckFailure`` if the status or the value is another, the answer cannot be read, or there is none.
    public func check<R: Request>(
        _ request: R,
        answers status: HTTPStatus,
        with value: R.Response,
        mocked: Bool = false
    ) async throws(CheckFailure) where R.Response: Equatable {
        let expectation = Expectation(status: status, value: Expectation.excerpt(value))
        let (seen, line) = try await checked(request, expectation, mocked: mocked) { response in
            (try await request.response(from: response), response.request.description)
        }
        guard seen != value else { return }
        throw expectation.failure(line, saw: Expectation.excerpt(seen))
    }

    private func checked<Value: Sendable>(
        _ request: some Request,
        _ expectation: Expectation,
        mocked: Bool,
        read: @escaping @Sendable (NetworkResponse) async throws -> Value
    ) async throws(CheckFailure) -> Value {
        let network = mocked ? mocking() : self
        // The status is looked at before the body is read, out of one answer.
        let probe = DataRequest<Probe<Value>>(request) { response in
            guard response.status == expectation.status else {
                return .wrongStatus(response, try await response.body.collect())
            }
            return .value(try await read(response))
        }
        let accepting = probe.configured { request in
            request.acceptableStatuses = .all
            request.delivery = .gathered
        }
        do {
            switch try await network.send(accepting) {
            case .value(let value): return value
            case .wrongStatus(let response, let body):
                throw expectation.failure(response.request.description, saw: Expectation.excerpt(response, body))
            }
        } catch let failure as CheckFailure {
            throw failure
        } catch {
            let line = error.networkError?.request?.description ?? "\(request.requestType)"
            throw expectation.failure(line, saw: "the error \(error)", underlying: error)
        }
    }
}

private enum Probe<Value: Sendable>: Sendable {
    case value(Value)
    case wrongStatus(NetworkResponse, Data)
}

/// What a check expects, in words.
private struct Expectation: Sendable {
    let status: HTTPStatus
    let value: String?

    func failure(_ request: String, saw seen: String, underlying: (any Error)? = nil) -> CheckFailure {
        let expected = "status \(status)" + (value.map { " with \($0)" } ?? "")
        return CheckFailure(request: request, expected: expected, seen: seen, underlying: underlying)
    }

    /// A value as a message shows it.
    static func excerpt(_ value: Any) -> String {
        shortened(RedactionPolicy.standard.redacted(String(reflecting: value)))
    }

    /// A response that was not expected, as a message shows it.
    static func excerpt(_ response: NetworkResponse, _ body: Data) -> String {
        let status = "status \(response.status)"
        guard !body.isEmpty else { return status + " without a body" }
        let type = response.headers[.contentType]
        guard let text = RedactionPolicy.standard.redacted(body: body, contentType: type) else {
            return status + " with \(body.count) bytes that are not text"
        }
        return status + " with the body \(shortened(text))"
    }

    /// How much of a text a message shows: enough to see what is wrong, and to read it in a test log.
    private static let length = 500

    private static func shortened(_ text: String) -> String {
        text.count > length ? text.prefix(length) + "…" : text
    }
}
