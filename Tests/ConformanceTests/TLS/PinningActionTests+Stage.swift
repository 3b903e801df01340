#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineActions
    import PipelineTesting
    import Testing

    extension PinningActionTests {
        static func key(_ name: String) throws -> Pin { try TLSFixture.pin(name) }

        static func certificate(_ name: String) throws -> Certificate {
            try #require(TLSFixture.certificates(name).first)
        }

        static func rule(_ host: HostPattern, _ names: String...) throws -> PinningRule {
            try PinningRule(host, keys: Set(names.map(key)), backup: .waived)
        }

        /// A network whose transport finds the servers of the tests under other names too.
        func way(
            _ policy: PinningPolicy,
            servers: [TLSServer],
            time: any TimeSource = SystemTime.shared
        ) throws -> PinningWay {
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
            return PinningWay(network: network, transport: curl)
        }

        func request(_ url: URL) -> NetworkRequest {
            NetworkRequest(method: .post, url: url, headers: [.authorization: "Bearer canary"], body: .text("canary"))
        }

        var violations: [PinViolation] {
            monitor.events.compactMap { event in
                if case .pinViolation(let violation) = event.kind { violation } else { nil }
            }
        }
    }

    /// A network and what it sends over.
    struct PinningWay: Sendable {
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

    /// What was reported.
    final class PinningReports: Sendable {
        private let violations = Locked<[PinViolation]>([])

        var all: [PinViolation] { violations.withLock { $0 } }

        func add(_ violation: PinViolation) { violations.withLock { $0.append(violation) } }
    }
#endif
