import Foundation
import Pipeline
import PipelineActions

/// What is done around the request: who asks, what is kept, what is tried again.
struct ActionOptions: Sendable {
    private(set) var credential: Credential?
    /// How often a request is tried again after it failed.
    private(set) var retries: Int?
    /// Whether requests are tried again that may then do twice what they do.
    private(set) var retriesAllMethods = false
    private(set) var sendsIdempotencyKey = false
    private var cookieFile: String?

    /// More would be a loop, which a shell has.
    private static let mostRetries = 1_000

    /// Reads an option, if it is one of these.
    ///
    /// - Returns: Whether it is.
    mutating func read(_ name: String, from words: inout ArgumentReader) throws(UsageError) -> Bool {
        if let credential = try Credential(name, from: &words) {
            guard self.credential == nil else { throw UsageError("one of --bearer, --basic and --digest, and once") }
            self.credential = credential
            return true
        }
        switch name {
        case "--retry":
            let count = try Options.count(words.value(of: name), for: name)
            guard count <= Self.mostRetries else { throw UsageError("--retry takes \(Self.mostRetries) at most") }
            retries = count
        case "--retry-all-methods": retriesAllMethods = true
        case "--cookies": cookieFile = try words.value(of: name)
        case "--idempotency-key": sendsIdempotencyKey = true
        default: return false
        }
        return true
    }

    /// Refuses options that mean nothing without another.
    func check() throws(UsageError) {
        if retriesAllMethods, retries == nil { throw UsageError("--retry-all-methods needs --retry N") }
    }

    /// The actions, outermost first.
    ///
    /// - Parameter url: Where the request goes; the credential belongs there.
    /// - Throws: ``UsageError`` if a file cannot be read, or a value cannot be meant.
    func actions(for url: URL) throws(UsageError) -> [any Action] {
        var actions: [any Action] = []
        if sendsIdempotencyKey { actions.append(IdempotencyKeyAction()) }
        // As many as were asked for, so without a budget.
        if let retries { actions.append(RetryAction(policy(retries: retries), budget: nil)) }
        // Within the retries, since a digest is made anew for each attempt.
        if let credential { actions.append(try credential.action(for: .these(Set([Origin(url)].compactMap(\.self))))) }
        if let cookieFile { actions.append(CookieAction(try Self.jar(cookieFile))) }
        return actions
    }

    /// The most retries that a send may make: what the user asks for, and beside it those that a credential needs.
    var maximumRetries: Int { NetworkConfiguration().maximumRetries + (retries ?? 0) }

    /// What the actions are told by the request.
    func configure(_ request: inout NetworkRequest) {
        // Or a credential that must not be sent would be left out in silence.
        if credential != nil { request.requiresAuthentication = true }
        if sendsIdempotencyKey { request.sendsIdempotencyKey = true }
    }

    private func policy(retries: Int) -> RetryPolicy {
        var policy = RetryPolicy.standard
        policy.maxAttempts = retries + 1
        if retriesAllMethods { policy.methods = .all }
        return policy
    }

    /// The cookies of a file, those of a session too: for a command, a session is what its user makes of it.
    private static func jar(_ path: String) throws(UsageError) -> CookieJar {
        do {
            return try CookieJar(file: PrivateFile(URL(fileURLWithPath: path)), keepsSessionCookies: true)
        } catch {
            throw UsageError("--cookies \(path): \(error.message)")
        }
    }
}
