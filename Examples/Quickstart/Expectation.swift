/// What should have happened, to be compared with what did.
enum Expectation {
    static let phases =
        complete("POST /login", 200) + complete("GET /todos", 200) + complete("POST /todos", 201)
        + complete("GET /todos/404", 404) + complete("GET /todos/1", 200)
        + ["GET /slow: request will begin", "GET /slow: request began", "GET /slow: response completed cancelled"]
        + ["GET /busy: request will begin"]
        + [503, 200].flatMap { _ in ["GET /busy: request began", "GET /busy: response began"] }
        + ["GET /busy: response completed 200"]

    static let server = [
        "POST /login",
        "GET /todos?page=1",
        #"POST /todos, with a token, body {"title":"Read the README"}"#,
        "GET /todos/404",
        "GET /todos/1",
        "GET /slow",
        "GET /busy", "GET /busy",
    ]

    /// Compares, and prints each difference.
    static func check(phases: [String], server: [String], logged: [String]) -> Bool {
        let isSame = compare("phases", phases, Self.phases)
        let holdsNoSecret = search(logged)
        return compare("server", server, Self.server) && isSame && holdsNoSecret
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

    /// Looks for secrets in the log, and for the marks that stand in their place.
    private static func search(_ logged: [String]) -> Bool {
        let text = logged.joined(separator: "\n")
        let found = TodoServer.secrets.filter(text.contains)
        for secret in found { print("the log holds “\(secret)”") }
        let isMarked = text.contains("<redacted>")
        if !isMarked { print("the log does not show where secrets were left out") }
        return found.isEmpty && isMarked
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }
}
