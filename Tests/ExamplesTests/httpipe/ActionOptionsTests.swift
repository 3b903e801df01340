import Foundation
import Pipeline
import PipelineActions
import Testing

@testable import httpipe

struct ActionOptionsTests {
    @Test(arguments: [
        ("a.test --bearer t --basic u:p", "one of --bearer, --basic and --digest, and once"),
        ("a.test --digest u:p --digest u:p", "one of --bearer, --basic and --digest, and once"),
        ("a.test --bearer=", "--bearer takes a token, without spaces"),
        ("a.test --bearer secret\u{7F}", "--bearer takes a token, without spaces"),
        ("a.test --basic secret", "write --basic USER:PASSWORD"),
        ("a.test --digest secret", "write --digest USER:PASSWORD"),
        ("a.test --basic u:secret\u{1}", "--basic: no control characters (RFC 7617, section 2)"),
        ("a.test --retry -1", "--retry takes a whole number, 0 or more"),
        ("a.test --retry 1001", "--retry takes 1000 at most"),
        ("a.test --retry 9223372036854775807", "--retry takes 1000 at most"),
        ("a.test -HAuthorization:secret", "there is no option -H"),
        ("a.test -uada:secret", "there is no option -u"),
        ("GET a.test -H X-Key: secret", "there is more than a method and a URL; quote what has spaces"),
        ("a.test --retry-all-methods", "--retry-all-methods needs --retry N"),
        ("a.test --pin-report-only", "--pin-report-only needs a --pin"),
        ("pins a.test --bearer t", "pins sends no request and takes no --bearer"),
        ("pins a.test --retry 1", "pins sends no request and takes no --retry"),
        ("pins a.test --curl", "pins sends no request and takes no --curl"),
        ("pins a.test --log-json", "pins sends no request and takes no --log-json"),
        ("a.test --curl=1", "--curl takes no value"),
        ("a.test --idempotency-key=k", "--idempotency-key takes no value"),
    ])
    func `refuses what cannot be meant, and repeats no secret`(line: String, complaint: String) {
        let error = #expect(throws: UsageError.self) { try Options(line) }
        #expect(error?.description == complaint)
    }

    @Test func `an accent behind the colon belongs to the password`() throws {
        let credential = try Options("a.test --basic u:\u{301}p:q").actions.credential
        #expect(credential == .basic(try PasswordCredential(user: "u", password: "\u{301}p:q")))
    }

    @Test func `as many retries as asked for are not too many for the network`() throws {
        #expect(try Options("a.test --retry 100").actions.maximumRetries >= 100)
    }

    @Test func `makes no action unless told`() throws {
        let options = try Options("a.test")
        #expect(try options.actions.actions(for: options.url).isEmpty)
    }

    @Test func `stands the actions in their order`() throws {
        let scratch = try Scratch()
        let line = "POST a.test --cookies \(scratch["jar"].path) --retry 2 --digest u:p --idempotency-key"
        let options = try Options(line)
        let names = try options.actions.actions(for: options.url).map { String(describing: type(of: $0)) }
        #expect(names == ["IdempotencyKeyAction", "RetryAction", "DigestAuthenticationAction", "CookieAction"])
    }

    @Test func `a refused cookie file is named`() throws {
        let options = try Options("a.test --cookies /")
        let error = #expect(throws: UsageError.self) { try options.actions.actions(for: options.url) }
        #expect(error?.description.hasPrefix("--cookies /: ") == true, "\(error as Any)")
    }

    @Test func `the help names every option and fits a screen`() {
        let lines = Help.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count == 24)
        #expect(lines.allSatisfy { $0.count <= 80 })
        for option in [
            "--bearer", "--basic", "--digest", "--retry", "--retry-all-methods", "--pin-report-only", "--cookies",
            "--idempotency-key", "--curl", "--log-json", "--query", "--form", "--multipart", "--upload", "--download",
            "--resume", "--lines", "--sse", "--progress",
        ] {
            #expect(Help.text.contains(option))
        }
    }
}
