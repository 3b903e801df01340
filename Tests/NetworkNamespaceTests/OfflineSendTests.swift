#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import TestSupport
    import Testing

    extension NetworkNamespaceSuite {
        /// What sends do while the cable is out, over both transports.
        struct OfflineSendTests {
            let cable: Cable

            init() throws { cable = try Cable() }

            enum Kind: CaseIterable {
                case curl
                case urlSession

                var transport: any Transport {
                    switch self {
                    case .curl: CurlTransport()
                    case .urlSession: URLSessionTransport()
                    }
                }
            }

            func network(_ kind: Kind, _ policy: OfflinePolicy, monitor: WaitWatch? = nil) -> Network {
                var configuration = NetworkConfiguration()
                configuration.networkMonitor = NetworkMonitor()
                configuration.offlinePolicy = policy
                if let monitor { configuration.monitors = [monitor] }
                return Network(transport: kind.transport, configuration: configuration)
            }

            @Test(arguments: Kind.allCases, [Cable.distant, Cable.neighbour, "http://api.example.com/"])
            func `fails at once while the cable is out`(kind: Kind, url: String) async throws {
                let request = NetworkRequest(url: try #require(URL(string: url)))
                try cable.pull()
                let clock = ContinuousClock()
                let start = clock.now
                let error = await #expect(throws: NetworkError.self) { try await network(kind, .fail).send(request) }

                #expect(error?.code == .offline)
                #expect(error?.reach == .no)
                #expect(error?.attempts == 0)
                #expect(clock.now - start < .seconds(1))
            }

            @Test(arguments: Kind.allCases)
            func `waits, and goes on when the cable is back`(kind: Kind) async throws {
                let request = NetworkRequest(url: try #require(URL(string: Cable.distant)))
                try cable.pull()
                let watch = WaitWatch()
                async let response = network(kind, .wait, monitor: watch).send(request)
                await watch.untilWaiting()
                try cable.plugIn()

                #expect(try await response.body.collect() == Data("hello\n".utf8))
            }

            @Test(arguments: Kind.allCases)
            func `reaches a neighbour without a default route`(kind: Kind) async throws {
                let request = NetworkRequest(url: try #require(URL(string: Cable.neighbour)))
                try cable.ip("route", "delete", "default")

                #expect(try await network(kind, .fail).send(request).status == 200)
            }

            @Test(arguments: Kind.allCases)
            func `reaches this machine while the cable is out`(kind: Kind) async throws {
                try cable.pull()
                let server = try LoopbackServer()
                server.handle(nil, "/", inTurn: [.empty()])

                #expect(try await network(kind, .fail).send(NetworkRequest(url: server.url)).status == 204)
            }
        }
    }
#endif
