import Foundation
public import Pipeline

/// The first half of a ``StubRule``: which requests it is about. It becomes a rule by what it says next.
///
///     .when(.get, path: "/todos/{id}").respond(.json(["id": 1]))
public struct RequestPattern: Sendable {
    let method: HTTPMethod?
    let host: String?
    let path: PathPattern?
    let query: [String: String?]
    let headers: HTTPHeaders
    let body: BodyPattern?
    let type: (any Request.Type)?

    /// The pattern in a few words: method, host and path.
    var name: String {
        if let type { return "\(type)" }
        let parts = [method?.rawValue, host.map { $0 + (path?.description ?? "") } ?? path?.description]
        let text = parts.compactMap(\.self).joined(separator: " ")
        return text.isEmpty ? "any request" : text
    }

    /// What keeps a request from matching, as far as its head tells, as clauses; none if it matches.
    func mismatches(_ request: NetworkRequest) -> [String] {
        var reasons: [String] = []
        if let type, request.context.requestType != type {
            reasons.append("the request is a \(request.context.requestType)")
        }
        if let method, request.method != method { reasons.append("the method is \(request.method)") }
        if let host, let seen = request.url.authority, host.lowercased() != seen, host.lowercased() != request.url.name
        {
            reasons.append("the host is \(seen)")
        }
        if let path, path.captures(in: request.url) == nil { reasons.append("the path is another") }
        let items = QueryItems(request.url.query(percentEncoded: true) ?? "")
        for (name, value) in query.sorted(by: { $0.key < $1.key }) {
            if let reason = items.mismatch(of: "query item", name: name, expected: value) { reasons.append(reason) }
        }
        for field in headers where request.headers[field.name] != field.value {
            reasons.append(Self.mismatch(of: field, in: request.headers))
        }
        return reasons
    }

    private static func mismatch(of field: HTTPField, in headers: HTTPHeaders) -> String {
        guard let seen = headers.first(where: { $0.name == field.name }) else {
            return "there is no field \(field.name)"
        }
        if seen.isSensitive || field.isSensitive { return "the field \(field.name) is another" }
        return "the field \(field.name) is \"\(seen.printableValue)\", not \"\(field.printableValue)\""
    }
}

extension URL {
    /// The host, lower-case.
    fileprivate var name: String? { host(percentEncoded: true)?.lowercased() }

    /// The host, lower-case, with its port if it names one.
    fileprivate var authority: String? { name.map { name in port.map { "\(name):\($0)" } ?? name } }
}

extension RequestPattern {
    /// Answers with a response.
    public func respond(_ response: StubResponse = .status(200)) -> StubRule {
        StubRule(self, .response { _ in response })
    }

    /// Answers with what a closure makes of the request.
    ///
    ///     .when(.get, path: "/todos/{id}").respond { received in .json(["id": .string(received.captures["id"] ?? "")]) }
    ///
    /// - Parameter makeResponse: Makes the response. What it throws fails the attempt.
    public func respond(
        _ makeResponse: @escaping @Sendable (ReceivedRequest) throws -> StubResponse
    ) -> StubRule {
        StubRule(self, .response(makeResponse))
    }

    /// Fails the attempt, as a transport would: with a `NetworkError`, a `URLError`, or any other error.
    public func fail(_ error: any Error) -> StubRule { StubRule(self, .failure(error)) }

    /// Fails the attempt with an error of this code.
    public func fail(_ code: NetworkError.Code) -> StubRule { fail(NetworkError(code)) }

    /// Hands the request on to another transport, a live one for one.
    public func passThrough(to transport: any Transport) -> StubRule { StubRule(self, .transport(transport)) }
}
