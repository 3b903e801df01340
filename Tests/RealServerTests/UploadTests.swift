#if canImport(Glibc)
    import Foundation
    import Pipeline
    import Testing

    extension RealServerSuite {
        /// Bodies that nginx stores, so that every byte can be compared.
        struct UploadTests {
            let servers: RealServers

            init() throws { servers = try RealServers() }

            @Test(arguments: Endpoint.allCases, Upload.allCases)
            func `arrives whole`(endpoint: Endpoint, upload: Upload) async throws {
                try await UploadCheck(servers: servers, network: Network(servers)).put(upload.body, to: endpoint)
            }

            @Test(arguments: Endpoint.allCases, Upload.allCases)
            func `arrives whole through a proxy`(endpoint: Endpoint, upload: Upload) async throws {
                let network = try Network(servers, proxy: servers.proxy(servers.openProxy))
                try await UploadCheck(servers: servers, network: network).put(upload.body, to: endpoint)
            }
        }
    }

    /// A body of 32 MiB and one byte, in each of its forms.
    enum Upload: CaseIterable, Sendable {
        case bytes
        case streamOfKnownLength
        case stream

        private static let size = 32 << 20 + 1

        var body: RequestBody {
            switch self {
            case .bytes: .bytes(BigBody.bytes(at: 0, count: Self.size))
            case .streamOfKnownLength: .stream(length: Self.size) { Self.chunks }
            case .stream: .stream { Self.chunks }
            }
        }

        private static var chunks: Chunks { Chunks(end: size) }

        private struct Chunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
            let end: Int
            var offset = 0

            func makeAsyncIterator() -> Chunks { self }

            mutating func next() async -> Data? {
                guard offset < end else { return nil }
                let count = Swift.min(100_003, end - offset)
                defer { offset += count }
                return BigBody.bytes(at: offset, count: count)
            }
        }
    }

    /// Puts a body there and compares what was stored.
    struct UploadCheck {
        let servers: RealServers
        let network: Network

        func put(_ body: RequestBody, to endpoint: Endpoint) async throws {
            let name = UUID().uuidString
            let stored = URL(fileURLWithPath: "\(servers.folder)/www/kept/\(name)")
            defer { try? FileManager.default.removeItem(at: stored) }
            let url = try endpoint.url("/kept/\(name)", in: servers)
            let response = try await network.send(NetworkRequest(method: .put, url: url, body: body))
            #expect(response.status.code == 201)
            #expect(response.version == endpoint.version)
            let size = try FileManager.default.attributesOfItem(atPath: stored.path)[.size] as? Int
            #expect(response.metrics?.bytesSent == size)
            var chunks = ResponseBody.file(stored).makeAsyncIterator()
            #expect(try await BigBody.compare(&chunks) == size)
            if let length = body.length { #expect(size == length) }
        }
    }
#endif
