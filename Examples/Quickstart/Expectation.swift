/// What should have happened, to be compared with what did.
enum Expectation {
    static let phases =
        complete("GET /todos", 200) + complete("POST /todos", 201) + complete("GET /todos/404", 404)
        + complete("GET /todos/1", 200)
        + ["GET /slow: request will begin", "GET /slow: request began", "GET /slow: response completed cancelled"]
        + ["GET /flaky: request will begin"]
        + [503, 503, 200].flatMap { _ in ["GET /flaky: request began", "GET /flaky: response began"] }
        + ["GET /flaky: response completed 200"]

    static let server = [
        "GET /todos?page=1",
        #"POST /todos, key demo-key, body {"title":"Read the README"}"#,
        "GET /todos/404",
        "GET /todos/1",
        "GET /slow",
        "GET /flaky", "GET /flaky", "GET /flaky",
    ]

    /// Compares, and prints each difference.
    static func check(phases: [String], server: [String]) -> Bool {
        let isSame = compare("phases", phases, Self.phases)
        return compare("server", server, Self.server) && isSame
    }

    private static func complete(_ request: String, _ status: Int) -> [String] {
        ["request will begin", "request began", "response began", "response completed \(status)"]
            .map { "\(request): \($0)" }
    }

    private static func compare(_ name: String, _ seen: [String], _ expected: [String]) -> Bool {
        for number in 0..<max(seen.count, expected.count) {
            let (one, other) = (seen[safe: number] ?? "nothing", expected[safe: number] ?? "nothing")
            if one != other { print("\(name), line \(number + 1): expected “\(other)”, saw “\(one)”") }
        }
        return seen == expected
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }
}
