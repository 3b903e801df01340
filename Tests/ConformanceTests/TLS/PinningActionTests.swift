#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineActions
    import PipelineTesting
    import Testing

    /// The whole way of a pin: from a policy by way of the action into the handshake with a real server.
    @Suite(.timeLimit(.minutes(3)))  // A net against hangs; no test comes near it.
    struct PinningActionTests {
        let reports = PinningReports()
        let monitor = RecordingMonitor()

        @Test(arguments: cases, ["1.2", "1.3"])
        func `judges a server by its pins`(row: Case, version: String) async throws {
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
    }
#endif
