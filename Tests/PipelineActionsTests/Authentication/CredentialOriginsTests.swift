import Foundation
import Pipeline
import PipelineActions
import Testing

/// Where a credential may go (S3).
struct CredentialOriginsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let origins: CredentialOrigins
        let url: String
        var base: String? = "https://api.test/v1"
        var visited: [String] = []
        let expected: String

        var testDescription: String { "\(url) after \(visited)" }
    }

    static let files = Origin("https://files.test")!
    static let plain = Origin("http://plain.test")!

    static let table: [Case] = [
        Case(origins: .baseURL, url: "https://api.test/v2", expected: "is attached"),
        Case(origins: .baseURL, url: "https://API.test:443/", expected: "is attached"),
        Case(origins: .baseURL, url: "https://api.test:444/", expected: "does not belong to https://api.test:444"),
        Case(origins: .baseURL, url: "http://api.test/", expected: "does not belong to http://api.test"),
        Case(origins: .baseURL, url: "https://sub.api.test/", expected: "does not belong to https://sub.api.test"),
        Case(origins: .baseURL, url: "https://files.test/", expected: "does not belong to https://files.test"),
        Case(origins: .baseURL, url: "https://api.test", base: nil, expected: "does not belong to https://api.test"),
        Case(origins: .baseURL, url: "/path", expected: "is not sent to a URL without host"),
        Case(origins: .these([files]), url: "https://files.test/a", expected: "is attached"),
        Case(origins: .these([files]), url: "https://api.test/", expected: "does not belong to https://api.test"),
        Case(origins: .baseURL(and: [files]), url: "https://files.test/", expected: "is attached"),
        Case(origins: .baseURL(and: [files]), url: "https://api.test/", expected: "is attached"),
        // Within the list the send may go where it likes; what left it stays without.
        Case(
            origins: .baseURL(and: [files]),
            url: "https://api.test/",
            visited: ["https://files.test", "https://api.test"],
            expected: "is attached"
        ),
        Case(
            origins: .baseURL,
            url: "https://api.test/",
            visited: ["https://api.test", "https://evil.test", "https://api.test"],
            expected: "is not sent once the send has turned to https://evil.test"
        ),
        // Plain http goes to this machine only.
        Case(origins: .these([plain]), url: "http://plain.test/", expected: insecure),
        Case(origins: .these([plain]).allowingInsecureHTTP(), url: "http://plain.test/", expected: "is attached"),
        Case(origins: .baseURL, url: "http://plain.test/", base: "http://plain.test", expected: insecure),
        Case(origins: .baseURL, url: "http://localhost:8080/", base: "http://localhost:8080", expected: "is attached"),
        Case(origins: .baseURL, url: "http://127.0.0.1/", base: "http://127.0.0.1", expected: "is attached"),
        Case(origins: .baseURL, url: "http://[::1]:1/", base: "http://[::1]:1", expected: "is attached"),
    ]

    private static let insecure = "is not sent to http://plain.test, which is neither https nor this machine"

    @Test(arguments: table)
    func `attaches a credential only where it belongs`(_ entry: Case) {
        let decision = entry.origins.decision(
            for: URL(string: entry.url)!,
            baseURL: entry.base.flatMap { URL(string: $0) },
            visited: entry.visited.compactMap(Origin.init)
        )
        #expect("\(decision)" == entry.expected)
    }

    @Test func `names the origins that the credential is bound to`() {
        let decision = CredentialOrigins.baseURL(and: [Self.files]).decision(
            for: URL(string: "https://files.test")!,
            baseURL: URL(string: "https://api.test/v1"),
            visited: []
        )
        #expect(decision == .attach(within: [Self.files, Origin("https://api.test")!]))
    }
}
