import Foundation
import Pipeline

extension TransportConformance {
    /// The content coding that the transport asked for is undone, within limits (RFC 9110, section 8.4).
    static let codingCases: [Case] = [
        Case("undoes gzip") { stage in
            stage.server.handle { _ in .status(200, headers: ["Content-Encoding": "gzip"], body: ContentSample.gzip) }
            try await stage.expect(body: stage.exchange(stage.request()).body, is: ContentSample.plain)
        },
        Case("undoes gzip in a chunked body") { stage in
            stage.server.handle { _ in
                [
                    .head(200, headers: ["Content-Encoding": "gzip", "Transfer-Encoding": "chunked"]),
                    .chunk(ContentSample.gzip.prefix(7)), .chunk(ContentSample.gzip.dropFirst(7)), .lastChunk,
                ]
            }
            try await stage.expect(body: stage.exchange(stage.request()).body, is: ContentSample.plain)
        },
        Case("asks for no coding that it cannot undo") { stage in
            let coding = try await stage.received(stage.request()).first(of: "Accept-Encoding") ?? ""
            let known = ["gzip", "deflate", "br", "zstd", "identity", "x-gzip"]
            let names = coding.split(separator: ",").map {
                $0.split(separator: ";")[0].filter { $0 != " " }.lowercased()
            }
            try stage.expect(names.allSatisfy(known.contains), "only \(known)", saw: coding)
        },
        Case("hands over a compressed file type as it is") { stage in
            stage.server.handle { _ in
                .status(200, headers: ["Content-Type": "application/gzip"], body: ContentSample.gzip)
            }
            try await stage.expect(body: stage.exchange(stage.request()).body, is: ContentSample.gzip)
        },
        Case("fails on a body that is not in the coding it names") { stage in
            let body = Data("this is not gzip at all, and it is long enough".utf8)
            stage.server.handle { _ in .status(200, headers: ["Content-Encoding": "gzip"], body: body) }
            try await stage.expectFailure(.contentCodingFailed, of: stage.request())
        },
        Case("fails on a compressed body that ends early") { stage in
            let half = ContentSample.gzip.dropLast(20)
            stage.server.handle { _ in .status(200, headers: ["Content-Encoding": "gzip"], body: Data(half)) }
            try await stage.expectFailure(.contentCodingFailed, .truncated, of: stage.request())
        },
        Case("refuses codings piled on each other") { stage in
            stage.server.handle { _ in
                .status(200, headers: ["Content-Encoding": "gzip, gzip, gzip"], body: ContentSample.threeTimesGzip)
            }
            try await stage.expectFailure(.contentCodingFailed, .protocolViolation, of: stage.request())
        },
        Case("counts the decoded bytes of a compressed body against its limit") { stage in
            stage.server.handle { _ in .status(200, headers: ["Content-Encoding": "gzip"], body: ContentSample.bomb) }
            var request = stage.request()
            request.maximumResponseSize = 1_000_000  // A tenth of what the bomb holds, a hundred times what travels.
            try await stage.expectFailure(.responseTooLarge, of: request)
        },
        Case("takes a compressed body that keeps its limit") { stage in
            stage.server.handle { _ in .status(200, headers: ["Content-Encoding": "gzip"], body: ContentSample.gzip) }
            var request = stage.request()
            request.maximumResponseSize = ContentSample.plain.count
            try await stage.expect(body: stage.exchange(request).body, is: ContentSample.plain)
        },
    ]
}
