#if canImport(Glibc)
    import Foundation
    import Pipeline
    import Testing

    extension RealServerSuite {
        /// What nginx answers with, gathered and streamed.
        struct ResponseTests {
            let servers: RealServers
            let network: Network

            init() throws {
                servers = try RealServers()
                network = try Network(servers)
            }

            @Test(arguments: Endpoint.allCases, [BodyDelivery.gathered, .stream])
            func `undoes gzip`(endpoint: Endpoint, delivery: BodyDelivery) async throws {
                let url = try endpoint.url("/zipped/text", in: servers)
                let response = try await network.send(NetworkRequest(url: url, delivery: delivery))
                #expect(response.version == endpoint.version)
                #expect(try await response.body.collect() == servers.file("www/files/text"))
            }

            @Test(arguments: ["gzip", "deflate", "br", "zstd"], [BodyDelivery.gathered, .stream])
            func `undoes what it asks for, and nothing else`(coding: String, delivery: BodyDelivery) async throws {
                let accepted = try await network.facts(Endpoint.http2.url("/facts", in: servers)).acceptEncoding
                let isAccepted = accepted.split(separator: ",").contains { $0.drop { $0 == " " } == coding }
                let url = try Endpoint.http2.url("/coded/\(coding)", in: servers)
                let request = NetworkRequest(url: url, delivery: delivery)
                if isAccepted {
                    #expect(try await network.send(request).body.collect() == servers.file("www/files/text"))
                } else {
                    let error = await #expect(throws: NetworkError.self) {
                        try await network.send(request).body.collect()
                    }
                    #expect(error?.code == .contentCodingFailed)
                }
                #expect(isAccepted || ["br", "zstd"].contains(coding), "libcurl always has \(coding)")
            }

            @Test(arguments: Endpoint.allCases)
            func `takes answers without a body, and those of errors with theirs`(endpoint: Endpoint) async throws {
                let texts = [(204, ""), (404, "not here"), (503, "busy")]
                for (status, text) in texts {
                    var request = NetworkRequest(url: try endpoint.url("/status/\(status)", in: servers))
                    request.acceptableStatuses = .all
                    let response = try await network.send(request)
                    #expect(response.status.code == status)
                    #expect(try await response.body.collect() == Data(text.utf8))
                }
            }

            @Test(arguments: Endpoint.allCases)
            func `is told that nothing has changed`(endpoint: Endpoint) async throws {
                let url = try endpoint.url("/files/text", in: servers)
                let tag = try #require(try await network.send(NetworkRequest(url: url)).headers["ETag"])
                let again = try await network.send(NetworkRequest(url: url, headers: ["If-None-Match": tag]))
                #expect(again.status == .notModified)
                #expect(again.body.data == Data())
            }

            @Test(arguments: Endpoint.allCases)
            func `gets the range it asks for`(endpoint: Endpoint) async throws {
                let url = try endpoint.url("/files/big", in: servers)
                let response = try await network.send(NetworkRequest(url: url, headers: ["Range": "bytes=100-163"]))
                #expect(response.status.code == 206)
                #expect(response.headers["Content-Range"] == "bytes 100-163/\(servers.bigSize)")
                #expect(response.body.data == BigBody.bytes(at: 100, count: 64))
            }

            @Test(arguments: Endpoint.allCases)
            func `hands over the head and what there is of a trickling body`(endpoint: Endpoint) async throws {
                let request = NetworkRequest(url: try endpoint.url("/trickle/big", in: servers), delivery: .stream)
                let response = try await network.send(request)
                #expect(response.body.stream?.expectedLength == servers.bigSize)
                var chunks = response.body.makeAsyncIterator()
                let first = try #require(try await chunks.next())
                // The whole of it would take days.
                #expect(first == BigBody.bytes(at: 0, count: first.count))
            }

            @Test(arguments: Endpoint.allCases)
            func `tells of the connection what the server tells`(endpoint: Endpoint) async throws {
                let url = try endpoint.url("/facts", in: servers)
                for turn in 1...2 {
                    let response = try await network.send(NetworkRequest(url: url))
                    let facts = try await Facts(response)
                    let metrics = try #require(response.metrics)
                    #expect(facts.nth == "\(turn)")
                    #expect(response.version == endpoint.version)
                    #expect(metrics.isReusedConnection == (turn == 2))
                    #expect(metrics.remoteAddress == "127.0.0.1:\(endpoint.port(in: servers))")
                    #expect(metrics.tlsVersion == (endpoint == .plain ? nil : facts.tlsVersion))
                    #expect(metrics.tlsCipher == (endpoint == .plain ? nil : facts.tlsCipher))
                    #expect((metrics.secured != nil) == (endpoint != .plain && turn == 1))
                    let total = try #require(metrics.total)
                    #expect(try #require(metrics.firstByte) <= total)
                    #expect(metrics.bytesReceived == response.body.data?.count)
                }
            }
        }
    }
#endif
