#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineActions
    import Testing

    extension PinningActionTests {
        /// A policy, a server, and what becomes of a request.
        struct Case: Sendable, CustomTestStringConvertible {
            let testDescription: String
            var server = "good"
            let host: String
            let outcome: String
            let policy: @Sendable () throws -> PinningPolicy

            init(
                _ name: String,
                _ server: String = "good",
                at host: String,
                _ outcome: String,
                policy: @escaping @Sendable () throws -> PinningPolicy
            ) {
                testDescription = name
                self.server = server
                self.host = host
                self.outcome = outcome
                self.policy = policy
            }
        }

        static let cases = [
            Case("right key", at: "localhost", "ok") { PinningPolicy([try rule("localhost", "good")]) },
            Case("wrong key", at: "localhost", "pin-mismatch") { PinningPolicy([try rule("localhost", "second")]) },
            Case("a dot at the end", at: "localhost.", "pin-mismatch") {
                PinningPolicy([try rule("LOCALHOST", "second")])
            },
            Case("an address", at: "127.0.0.1", "pin-mismatch") { PinningPolicy([try rule("127.0.0.1", "second")]) },
            Case("an address under a name's pattern", at: "127.0.0.1", "ok") {
                PinningPolicy([try rule("**.test", "second")])
            },
            Case("a backup pin", at: "localhost", "ok") {
                PinningPolicy([try PinningRule("localhost", keys: [key("second"), key("root")])])
            },
            // Patterns
            Case("right key, one star", at: "api.test", "ok") { PinningPolicy([try rule("*.test", "good")]) },
            Case("wrong key, one star", at: "api.test", "pin-mismatch") {
                PinningPolicy([try rule("*.test", "second")])
            },
            Case("right key, two stars", at: "api.test", "ok") { PinningPolicy([try rule("**.test", "intermediate")]) },
            Case("wrong key, two stars", at: "api.test", "pin-mismatch") {
                PinningPolicy([try rule("**.test", "second")])
            },
            Case("a star is no nothing", at: "api.test", "ok") { PinningPolicy([try rule("*.api.test", "second")]) },
            Case("a name before a star", at: "api.test", "pin-mismatch") {
                PinningPolicy([try rule("api.test", "second"), try rule("*.test", "good")])
            },
            Case("a site", at: "api.test", "pin-mismatch") {
                PinningPolicy([try PinningRule(hosts: HostPattern.site("test"), keys: [key("second")], backup: .waived)]
                )
            },
            // Exclusions, and hosts without a rule
            Case("excluded", at: "api.test", "ok") {
                PinningPolicy([try rule("**.test", "second")], excluding: ["api.test"])
            },
            Case("another excluded", "second", at: "second.test", "pin-mismatch") {
                PinningPolicy([try rule("**.test", "good")], excluding: ["api.test"])
            },
            Case("excluded, and named more closely", at: "api.test", "pin-mismatch") {
                PinningPolicy([try rule("api.test", "second")], excluding: ["**.test"])
            },
            Case("no rule", at: "localhost", "ok") { PinningPolicy([try rule("**.test", "second")]) },
            Case("no rule where one is wanted", at: "localhost", "pin-mismatch") {
                PinningPolicy([try rule("**.test", "good")], unlisted: .refused)
            },
            Case("excluded where a rule is wanted", at: "localhost", "ok") {
                PinningPolicy([], excluding: ["localhost"], unlisted: .refused)
            },
            // Modes
            Case("right certificate", at: "localhost", "ok") {
                let list = [try certificate("good"), try certificate("second")]
                return PinningPolicy([try PinningRule("localhost", certificates: list, modes: .certificate)])
            },
            Case("wrong certificates", at: "localhost", "pin-mismatch") {
                let list = [try certificate("stapled"), try certificate("second")]
                return PinningPolicy([try PinningRule("localhost", certificates: list, modes: .certificate)])
            },
            Case("right key of a certificate", at: "localhost", "ok") {
                PinningPolicy([try PinningRule("localhost", certificates: TLSFixture.certificates("good"))])
            },
            Case("wrong keys of certificates", at: "localhost", "pin-mismatch") {
                let list = [try certificate("stapled"), try certificate("second")]
                return PinningPolicy([try PinningRule("localhost", certificates: list)])
            },
            Case("both right", at: "localhost", "ok") {
                let list = [try certificate("good"), try certificate("second")]
                return PinningPolicy([try PinningRule("localhost", certificates: list, modes: .both)])
            },
            Case("right key, wrong certificates", at: "localhost", "pin-mismatch") {
                let list = [try certificate("stapled"), try certificate("second")]
                return PinningPolicy([
                    try PinningRule("localhost", keys: [key("good")], certificates: list, modes: .both)
                ])
            },
            // What verification refuses, pins do not save.
            Case("the key of a host that is not trusted", "self-signed", at: "localhost", "tls-untrusted") {
                PinningPolicy([try rule("localhost", "self-signed")])
            },
        ]
    }
#endif
