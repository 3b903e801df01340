#if canImport(Glibc)
    import Foundation
    import Pipeline
    import Testing

    extension RealServerSuite {
        /// Bodies of 300 MB that are read, put into files and sent, within bounds that have nothing to do with their size.
        struct MemoryTests {
            let servers: RealServers
            let network: Network

            /// What one piece of a compressed body becomes, here 3 MB, a few times over, and what the allocator keeps.
            private static let bound = 40 << 20

            init() throws {
                servers = try RealServers()
                network = try Network(servers)
            }

            @Test(arguments: Endpoint.allCases, ["files", "zipped"])
            func `stays flat for a reader that dawdles`(endpoint: Endpoint, folder: String) async throws {
                let growth = try await PeakMemory.growth {
                    let request = NetworkRequest(
                        url: try endpoint.url("/\(folder)/big", in: servers),
                        headers: folder == "zipped" ? [.acceptEncoding: "gzip"] : [:],
                        delivery: .stream
                    )
                    let response = try await network.send(request)
                    #expect(response.version == endpoint.version)
                    var chunks = response.body.makeAsyncIterator()
                    // While the reader is away others keep the transport busy, so there is time to read ahead.
                    let size = try await BigBody.compare(&chunks, afterEach: 4) {
                        for _ in 0..<5 { _ = try await network.facts(endpoint.url("/facts", in: servers)) }
                    }
                    #expect(size == servers.bigSize)
                }
                #expect(growth < Self.bound, "\(growth >> 20) MiB")
            }

            @Test(arguments: Endpoint.allCases, ["files", "zipped"])
            func `lets others through while a reader stands still`(endpoint: Endpoint, folder: String) async throws {
                let growth = try await PeakMemory.growth {
                    let request = NetworkRequest(
                        url: try endpoint.url("/\(folder)/big", in: servers),
                        headers: folder == "zipped" ? [.acceptEncoding: "gzip"] : [:],
                        delivery: .stream
                    )
                    let response = try await network.send(request)
                    var chunks = response.body.makeAsyncIterator()
                    let first = try #require(try await chunks.next())
                    var connections: Set<String> = []
                    for _ in 0..<20 {
                        connections.formUnion(try await askAtOnce(50, endpoint))
                    }
                    if endpoint == .http2 { #expect(connections.count <= 2, "one is enough") }
                    #expect(first == BigBody.bytes(at: 0, count: first.count))
                    let size = try await BigBody.compare(&chunks, from: first.count)
                    #expect(size == servers.bigSize)
                }
                #expect(growth < Self.bound, "\(growth >> 20) MiB")
            }

            @Test(arguments: Endpoint.allCases, ["files", "zipped"])
            func `stays flat for a body that goes to a file`(endpoint: Endpoint, folder: String) async throws {
                let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
                defer { try? FileManager.default.removeItem(at: file) }
                let growth = try await PeakMemory.growth {
                    let url = try endpoint.url("/\(folder)/big", in: servers)
                    let response = try await network.send(NetworkRequest(url: url, delivery: .file(file)))
                    var chunks = response.body.makeAsyncIterator()
                    #expect(try await BigBody.compare(&chunks) == servers.bigSize)
                }
                #expect(growth < Self.bound, "\(growth >> 20) MiB")
            }

            @Test(arguments: Endpoint.allCases)
            func `stays flat for a body that is sent`(endpoint: Endpoint) async throws {
                let growth = try await PeakMemory.growth {
                    let source = URL(fileURLWithPath: "\(servers.folder)/www/files/big")
                    try await UploadCheck(servers: servers, network: network).put(.file(source), to: endpoint)
                }
                #expect(growth < Self.bound, "\(growth >> 20) MiB")
            }

            /// Sends requests at once.
            ///
            /// - Returns: The connections they took.
            private func askAtOnce(_ count: Int, _ endpoint: Endpoint) async throws -> Set<String> {
                let url = try endpoint.url("/facts", in: servers)
                return try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<count { group.addTask { try await network.facts(url).connection } }
                    return try await group.reduce(into: []) { $0.insert($1) }
                }
            }
        }
    }
#endif
