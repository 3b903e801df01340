import Foundation
import Pipeline
import PipelineActions

/// Each action of PipelineActions by itself, on a send in which nothing goes wrong.
///
/// The budgets are what was counted when an action was last changed. One that rises has to be lowered again, or the number
/// here be raised, with a reason.
enum BuiltInActions {
    static let benchmarks: [SendBenchmark] = [
        action("logging", .logging(.info, to: silent), 14),
        action("pinning", .pinning(PinningPolicy([pinned])), 3),
        action("request-id", RequestIDAction(), 8),
        action("idempotency-key", IdempotencyKeyAction(methods: [.get]), 6),
        action("default-headers", DefaultHeadersAction(["Accept": "application/json"]), 3),
        action("user-agent", UserAgentAction(), 2),
        action("content-types", AcceptableContentTypesAction([.json]), 14),
        action("error-payload", ErrorPayloadAction(Problem.self), 0),
        action("bearer-token", .bearerToken(TokenVault(AccessToken("token")), origins: origins), 12),
        action("api-key", .apiKey("key", in: .header("X-Api-Key"), origins: origins), 6),
        action("basic", basic, 6),
        action("digest", digest, 10),
        action("retry", .retry(), 2),
        action("rate-limit", .rateLimit(.perSecond(1_000_000_000)), 17),
        action("concurrency-limit", .concurrencyLimit(64), 15),
        action("compression", RequestCompressionAction(), 1),
        action("cookies", .cookies(jar), 17),
        action("trace-context", TraceContextAction(), 17),
        action("signing", SigningAction { $0.request }, 8),
    ]

    private static func action(_ name: String, _ action: any Action, _ allocations: Int) -> SendBenchmark {
        SendBenchmark(name: "action-\(name)", actions: [action], budget: .atMost(Double(allocations)))
    }

    private static let origins = CredentialOrigins.these([Origin("https://api.test")!])

    private static let (basic, digest): (BasicAuthenticationAction, DigestAuthenticationAction) = {
        do {
            let credential = try PasswordCredential(user: "user", password: "password")
            return (
                try BasicAuthenticationAction(credential, origins: origins),
                DigestAuthenticationAction(credential, origins: origins)
            )
        } catch {
            preconditionFailure("the credential is one: \(error)")
        }
    }()

    private static let silent = Logger(sinks: [])

    /// A jar with a cookie for the request.
    private static let jar: CookieJar = {
        let jar = CookieJar()
        _ = jar.store(["id=1"], from: URL(string: "https://api.test/")!)
        return jar
    }()

    private static let pinned: PinningRule = {
        let pin: Pin = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        do {
            return try PinningRule("api.test", keys: [pin], backup: .waived)
        } catch {
            preconditionFailure("the rule is one: \(error)")
        }
    }()

    private struct Problem: Decodable, Sendable {
        let title: String
    }
}
