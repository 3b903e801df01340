#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import Testing

    /// How much of a body comes in before its reader wants it, from a server that is faster than the reader.
    @Suite(.timeLimit(.minutes(3)))
    struct CurlReadAheadTests {
        private static let size = 64 << 20
        private static let readAhead = CurlTransport.Configuration().readAhead
        /// What libcurl reads at a time of a body that comes as it is.
        private static let piece = 256 << 10
        /// And of one that may be compressed.
        private static let codedPiece = 16 << 10

        @Test func `is a piece more than the configuration says, at most`() async throws {
            let server = try LoopbackServer()
            server.handle { _ in .repeating(Data(count: 1 << 20), count: Self.size >> 20) }

            #expect(try await largestChunk(from: server) <= Self.readAhead + Self.piece)
        }

        @Test func `is what a piece becomes, at most, if the body is compressed`() async throws {
            let body = Deflate.zeros(Self.size / Deflate.matchLength)
            let server = try LoopbackServer()
            server.handle { _ in .status(200, headers: ["Content-Encoding": "deflate"], body: body) }

            // The piece that fills it, and the one that libcurl had begun with when it was told to hold.
            let most = Self.readAhead + 2 * Self.codedPiece * Deflate.ratio
            #expect(most < Self.size / 8)
            #expect(try await largestChunk(from: server, headers: [.acceptEncoding: "deflate"]) <= most)
        }

        @Test func `a coding is asked for where the body is gathered, or the request says so`() async throws {
            let server = try LoopbackServer()
            server.handle { request in .text(request.values(of: "Accept-Encoding").joined(separator: "|")) }
            func coding(_ delivery: BodyDelivery, _ headers: HTTPHeaders = [:]) async throws -> String {
                let request = NetworkRequest(url: server.url, headers: headers, delivery: delivery)
                return String(decoding: try await CurlTransport().send(request).body.collect(), as: UTF8.self)
            }

            let all = try await coding(.gathered)
            #expect(all.contains("gzip") && !all.contains("|"))
            #expect(try await coding(.gathered, [.acceptEncoding: "br"]) == "br")
            #expect(try await coding(.stream) == "identity")
            #expect(try await coding(.stream, [.acceptEncoding: "br"]) == "br")
        }

        /// Reads a whole body. What waits for its reader comes as one chunk for each turn of the event loop.
        private func largestChunk(from server: LoopbackServer, headers: HTTPHeaders = [:]) async throws -> Int {
            let transport = CurlTransport()
            let response = try await transport.send(
                NetworkRequest(url: server.url, headers: headers, delivery: .stream)
            )
            var sizes: [Int] = []
            for try await chunk in response.body { sizes.append(chunk.count) }
            #expect(sizes.reduce(0, +) / Deflate.matchLength == Self.size / Deflate.matchLength)
            return sizes.max() ?? 0
        }
    }

    /// Compresses zeros, as far as the fixed codes of deflate go (RFC 1951, section 3.2.6).
    private enum Deflate {
        /// The longest match, which takes 8 bits for its length and 5 for its distance.
        static let matchLength = 258
        static let ratio = 258 * 8 / 13 + 1

        /// Zeros in the zlib format (RFC 1950): one, and so many matches of it.
        static func zeros(_ matches: Int) -> Data {
            var bits = BitWriter()
            bits.write(0b011, count: 3)  // The last block, with fixed codes.
            bits.write(0b0000_1100, count: 8)  // A zero: 00110000, its first bit first.
            for _ in 0..<matches {
                bits.write(0b1010_0011, count: 8)  // Length 258: 11000101, its first bit first.
                bits.write(0, count: 5)  // Distance 1.
            }
            bits.write(0, count: 7)  // The end.
            // Of zeros the one sum of Adler-32 stays 1, and the other counts them.
            let sum = UInt32((matches * matchLength + 1) % 65521) << 16 | 1
            return Data([0x78, 0x01]) + bits.whole + withUnsafeBytes(of: sum.bigEndian) { Data($0) }
        }

        private struct BitWriter {
            private var bytes = Data()
            private var bits: UInt64 = 0
            private var count = 0

            /// What was written, with zeros up to the end of the last byte.
            var whole: Data { count == 0 ? bytes : bytes + [UInt8(truncatingIfNeeded: bits)] }

            /// Writes bits, the lowest first.
            mutating func write(_ value: UInt64, count: Int) {
                bits |= value << self.count
                self.count += count
                while self.count >= 8 {
                    bytes.append(UInt8(truncatingIfNeeded: bits))
                    bits >>= 8
                    self.count -= 8
                }
            }
        }
    }
#endif
