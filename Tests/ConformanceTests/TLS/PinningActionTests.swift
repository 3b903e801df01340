#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineActions
    import PipelineTesting
    import Testing

    /// The whole way of a pin: from a policy by way of the action into the handshake with a real server.
    @Suite(.timeLimit(.minutes(3)))  // A net against hangs; no test comes near it.
    struct PinningActionTests {
        private let reports = Reports()
        private let monitor = RecordingMonitor()

        private static func key(_ name: String) throws -> Pin { try TLSFixture.pin(name) }

        private static func certificate(_ name: String) throws -> Certificate {
            try #require(TLSFixture.certificates(name).first)
        }

        private static func rule(_ host: HostPattern, _ names: String...) throws -> PinningRule {
            try PinningRule(host, keys: Set(names.map(key)), backup: .waived)
        }

        /// A network whose transport finds the servers of the tests under other names too.
        private func way(
            _ policy: PinningPolicy,
            servers: [TLSServer],
            time: any TimeSource = SystemTime.shared
        ) throws -> Way {
            var transport = CurlTransport.Configuration()
            for server in servers {
                for name in ["api.test", "second.test", "localhost."] {
                    transport.resolve["\(name):\(server.port)"] = "127.0.0.1"
                }
            }
            var configuration = NetworkConfiguration(time: time, monitors: [monitor])
            configuration.tls = try TLSFixture.policy()
            let curl = CurlTransport(configuration: transport)
            let network = Network(
                actions: [.pinning(policy) { [reports] violation in reports.add(violation) }],
                transport: curl,
                configuration: configuration
            )
            return Way(network: network, transport: curl)
        }

        /// A network and what it sends over.
        private struct Way: Sendable {
            let network: Network
            let transport: CurlTransport

            /// What became of a request: "ok", or the code of its error.
            func outcome(of request: NetworkRequest) async -> String {
                switch await network.result(of: request) {
                case .success(let response): response.body.data == Data("secret".utf8) ? "ok" : "no secret"
                case .failure(let error): error.code.rawValue
                }
            }

            func failure(of request: NetworkRequest) async -> NetworkError? {
                await #expect(throws: NetworkError.self) { try await network.send(request) }
            }

            func finalLog(of server: TLSServer) async throws -> TLSServer.Log {
                await transport.shutdown()
                return try await server.log()
            }
        }

        private func request(_ url: URL) -> NetworkRequest {
            NetworkRequest(method: .post, url: url, headers: [.authorization: "Bearer canary"], body: .text("canary"))
        }

        private struct Case: Sendable, CustomTestStringConvertible {
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

        private static let cases = [
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

        @Test(arguments: cases, ["1.2", "1.3"])
        private func `judges a server by its pins`(row: Case, version: String) async throws {
            let server = try await TLSServer(row.server, maximum: version)
            let way = try way(row.policy(), servers: [server])

            let first = await way.outcome(of: request(server.url(host: row.host)))
            let again = await way.outcome(of: request(server.url(host: row.host)))

            #expect(first == row.outcome)
            #expect(again == row.outcome)
            let log = try await way.finalLog(of: server)
            #expect(log.requests.count == (row.outcome == "ok" ? 2 : 0))
            #expect(row.outcome == "ok" || log.bytes == 0)
        }

        // MARK: What is only reported

        @Test func `report-only reports once and passes`() async throws {
            let server = try await TLSServer("good")
            let policy = PinningPolicy([try Self.rule("localhost", "second")]).reportingOnly()
            let way = try way(policy, servers: [server])

            for _ in 1...3 { #expect(await way.outcome(of: request(server.url())) == "ok") }

            let report = try #require(reports.all.first)
            #expect(reports.all.count == 1)
            #expect(report.host == "localhost")
            #expect(report.reason == .mismatch)
            #expect(!report.isRefused)
            #expect(report.unmet == [[try Self.key("second")]])
            #expect(
                report.chain.map(\.pin) == [try Self.key("good"), try Self.key("intermediate"), try Self.key("root")]
            )
            // The monitors hear of each.
            #expect(violations.count == 3)
            #expect(try await way.finalLog(of: server).requests.count == 3)
        }

        @Test func `a host without a rule is reported where one is wanted`() async throws {
            let server = try await TLSServer("good")
            let policy = PinningPolicy([], unlisted: .refused).reportingOnly()
            let way = try way(policy, servers: [server])

            #expect(await way.outcome(of: request(server.url())) == "ok")
            #expect(reports.all.map(\.reason) == [.unlisted])
        }

        @Test func `a pinned host over plain http is reported, or refused`() async throws {
            let server = try LoopbackServer()
            server.handle(nil, "/") { _ in .text("secret") }
            let policy = PinningPolicy([try Self.rule("127.0.0.1", "good")])

            let strict = try way(policy, servers: [])
            #expect(await strict.outcome(of: request(server.url)) == "pin-mismatch")
            #expect(server.connections.isEmpty)
            let lax = try way(policy.reportingOnly(), servers: [])
            #expect(await lax.outcome(of: request(server.url)) == "ok")
            #expect(reports.all.map(\.reason) == [.plaintext, .plaintext])
            #expect(reports.all.map(\.isRefused) == [true, false])
        }

        @Test func `a rule that has expired reports and passes`() async throws {
            let server = try await TLSServer("good")
            let expiry = Date(timeIntervalSince1970: 2_000_000_000)
            let clock = ManualClock(date: expiry.addingTimeInterval(-60))
            let rule = try PinningRule(
                "localhost",
                keys: [Self.key("second")],
                backup: .waived,
                expiry: expiry
            )
            let way = try way(PinningPolicy([rule]), servers: [server], time: clock)

            #expect(await way.outcome(of: request(server.url())) == "pin-mismatch")
            clock.advance(by: .seconds(59))
            #expect(await way.outcome(of: request(server.url())) == "pin-mismatch")
            clock.advance(by: .seconds(1))
            #expect(await way.outcome(of: request(server.url())) == "ok")

            #expect(reports.all.map(\.isRefused) == [true, false])
            #expect(try await way.finalLog(of: server).requests.count == 1)
        }

        // MARK: Hops

        @Test(arguments: ["1.2", "1.3"])
        func `a redirect to a wrongly pinned host ends before a byte of the request`(version: String) async throws {
            let first = try await TLSServer("good", maximum: version)
            let second = try await TLSServer("second", maximum: version)
            let policy = PinningPolicy([try Self.rule("localhost", "good"), try Self.rule("**.test", "good")])
            let way = try way(policy, servers: [first, second])
            let target = second.url(host: "second.test").absoluteString

            let error = await way.failure(of: NetworkRequest(url: first.url("/redirect?to=\(target)")))

            #expect(error?.code == .pinMismatch)
            #expect(error?.reach == .no)
            #expect(error?.request?.url.contains("second.test") == true)
            #expect(try await way.finalLog(of: first).requests.count == 1)
            #expect(try await second.log().bytes == 0)
        }

        // MARK: Requests that are not pinned

        @Test func `a request can ignore pins, which shows, and opens no way for others`() async throws {
            let server = try await TLSServer("good")
            let way = try way(PinningPolicy([try Self.rule("localhost", "second")]), servers: [server])
            var ignoring = request(server.url())
            ignoring.customProperties = ["ignoresPinning": true]

            #expect(await way.outcome(of: request(server.url())) == "pin-mismatch")
            #expect(await way.outcome(of: ignoring) == "ok")
            #expect(await way.outcome(of: request(server.url())) == "pin-mismatch")

            let notes = monitor.events.compactMap { event -> PinningDecision? in
                guard case .note("PinningAction", let note) = event.kind else { return nil }
                return note as? PinningDecision
            }
            #expect(notes == [.ignored(host: "localhost")])
            #expect(try await way.finalLog(of: server).requests.count == 1)
        }

        @Test func `pins that a request names itself count for the same pattern`() async throws {
            let server = try await TLSServer("good")
            let way = try way(PinningPolicy([try Self.rule("localhost", "second")]), servers: [server])
            var own = request(server.url())
            own.tls = try TLSFixture.policy()
            own.tls?.pins = ["localhost": [try Self.key("good")]]

            #expect(await way.outcome(of: own) == "ok")
            own.tls?.pins = ["127.0.0.1": [try Self.key("good")]]
            #expect(await way.outcome(of: own) == "pin-mismatch")
        }

        // MARK: What is told

        @Test func `a mismatch lists the hashes seen`() async throws {
            let server = try await TLSServer("good")
            let list = [try Self.certificate("stapled"), try Self.certificate("second")]
            let policy = PinningPolicy([try PinningRule("localhost", certificates: list, modes: .both)])
            let way = try way(policy, servers: [server])

            let error = await way.failure(of: request(server.url()))

            let text = try #require(error).description
            for name in ["good", "intermediate", "root"] { #expect(text.contains("\(try Self.key(name))"), "\(text)") }
            #expect(text.contains(try Self.certificate("good").fingerprint()), "\(text)")
            #expect(text.contains("nothing was sent"))
            #expect(!text.contains("canary"))
            let violation = try #require(error?.underlying as? PinViolation)
            #expect(violation.chain.count == 3)
            #expect(violation.unmet.map(\.count) == [2, 2])
            #expect(violation.isRefused)
            #expect(reports.all == [violation])
        }

        @Test func `a transport that cannot check pins refuses`() async throws {
            let server = try await TLSServer("good")
            for policy in [
                PinningPolicy([try Self.rule("a.test", "good")]), PinningPolicy([], unlisted: .refused),
                PinningPolicy([try Self.rule("a.test", "good")]).reportingOnly(),
            ] {
                let network = Network(actions: [.pinning(policy)], transport: URLSessionTransport())
                let error = await #expect(throws: NetworkError.self) { try await network.send(request(server.url())) }
                #expect(error?.code == .pinningUnsupported)
                #expect(error?.reach == .no)
            }
            #expect(try await server.log().connections == 0)
        }

        private var violations: [PinViolation] {
            monitor.events.compactMap { event in
                if case .pinViolation(let violation) = event.kind { violation } else { nil }
            }
        }
    }

    /// What was reported.
    private final class Reports: Sendable {
        private let violations = Locked<[PinViolation]>([])

        var all: [PinViolation] { violations.withLock { $0 } }

        func add(_ violation: PinViolation) { violations.withLock { $0.append(violation) } }
    }
#endif
