public import Pipeline

/// What a ``StubTransport`` does with some requests.
///
///     .when(.post, path: "/todos", body: .json(["title": "Milk"])).respond(.status(201)).once()
///     .when(path: "/slow/**").respond(.json([])).delayed(by: .seconds(3))
///     .when(host: "api.test").fail(.offline)
///     .otherwise.passThrough(to: URLSessionTransport())
public struct StubRule: Sendable {
    enum Answer: Sendable {
        case response(@Sendable (ReceivedRequest) throws -> StubResponse)
        case failure(any Error)
        case transport(any Transport)
    }

    let pattern: RequestPattern
    let answer: Answer
    private(set) var delay = Duration.zero
    private(set) var limit = Int.max
    private var ownName: String?

    init(_ pattern: RequestPattern, _ answer: Answer) {
        self.pattern = pattern
        self.answer = answer
    }

    /// What messages call the rule: its own name, or method, host and path of its requests.
    public var name: String { ownName ?? pattern.name }

    /// Which requests a rule is about: those for which all of this holds. What is left out does not matter.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - host: The host, in any letter case; with or without its port.
    ///   - path: A pattern for the whole path.
    ///   - query: Items that the query has, as plain text; `nil` for one that it must not have. It may have others. Of a name that
    ///     comes more than once, one value must be equal.
    ///   - headers: Fields that the request has, with equal values, as they are when it comes to the transport. It may have others.
    ///   - body: What the body is.
    public static func when(
        _ method: HTTPMethod? = nil,
        host: String? = nil,
        path: PathPattern? = nil,
        query: [String: String?] = [:],
        headers: HTTPHeaders = [:],
        body: BodyPattern? = nil
    ) -> RequestPattern {
        RequestPattern(method: method, host: host, path: path, query: query, headers: headers, body: body, type: nil)
    }

    /// Which requests a rule is about: those of a type, or made from one.
    public static func when(_ type: (some Request).Type) -> RequestPattern {
        RequestPattern(method: nil, host: nil, path: nil, query: [:], headers: [:], body: nil, type: type)
    }

    /// All requests.
    public static var otherwise: RequestPattern { when() }

    /// This rule with a pause before its answer, on the time source of the network, so that a ``ManualClock`` can drive it. The purpose
    /// of the pause is ``/Pipeline/PausePurpose`` `stub`.
    public func delayed(by delay: Duration) -> StubRule { with { $0.delay = delay } }

    /// This rule for so many requests; after that it matches no more.
    ///
    /// - Precondition: `count` is at least 1.
    public func times(_ count: Int) -> StubRule {
        precondition(count >= 1, "a rule that matches \(count) times is none")
        return with { $0.limit = count }
    }

    /// This rule for one request.
    public func once() -> StubRule { times(1) }

    /// This rule with a name for messages.
    public func named(_ name: String) -> StubRule { with { $0.ownName = name } }

    private func with(_ change: (inout StubRule) -> Void) -> StubRule {
        var rule = self
        change(&rule)
        return rule
    }
}

extension PausePurpose {
    /// The pause before the answer of a stub.
    public static let stub = PausePurpose(rawValue: "testing-stub")
}
