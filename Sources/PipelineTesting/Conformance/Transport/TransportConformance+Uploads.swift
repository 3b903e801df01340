import Foundation
import Pipeline

extension TransportConformance {
    /// The body of a request arrives whole, framed once (RFC 9112, section 6).
    static let uploadCases: [Case] =
        [0, 1, 100_000, 3_000_000].flatMap(cases(ofSize:)) + typeCases + [
            Case("frames an empty body of a POST") { stage in
                let request = try await stage.received(stage.request(.post))
                let lengths = request.values(of: "Content-Length")
                try stage.expect(
                    lengths == ["0"] || request.isChunked,
                    "a length of zero (RFC 9110, section 8.6)",
                    saw: "Content-Length \(lengths)"
                )
            },
            Case("sends no framing with a GET without a body") { stage in
                let request = try await stage.received(stage.request())
                try stage.expect("Content-Length", request.values(of: "Content-Length").filter { $0 != "0" }, is: [])
                try stage.expect("Transfer-Encoding", request.values(of: "Transfer-Encoding"), is: [])
            },
            Case("fails when a body stream is shorter than its length") { stage in
                try await expectNoWholeRequest(on: stage, with: stream(of: [Data("abc".utf8)], length: 10))
            },
            Case("fails when a body stream is longer than its length") { stage in
                try await expectNoWholeRequest(on: stage, with: stream(of: [Data("abcdef".utf8)], length: 3))
            },
            Case("fails when a body stream goes on behind its length") { stage in
                try await expectNoWholeRequest(
                    on: stage,
                    with: stream(of: [Data("abc".utf8), Data("def".utf8)], length: 3)
                )
            },
            Case("fails when a body stream throws") { stage in
                let body = RequestBody.stream {
                    AsyncThrowingStream { continuation in
                        continuation.yield(Data("abc".utf8))
                        continuation.finish(throwing: SourceFailure())
                    }
                }
                try await expectNoWholeRequest(on: stage, with: body)
            },
            Case("fails when the file of a body is missing") { stage in
                let file = FileManager.default.temporaryDirectory.appendingPathComponent("none-\(UUID().uuidString)")
                let error = try await stage.failure(of: stage.request(.post, body: .file(file)))
                try stage.expect(error, in: [.fileFailed], reach: .no)
            },
        ]

    private struct SourceFailure: Error {}

    private static func cases(ofSize size: Int) -> [Case] {
        let data = ConformanceStage.pattern(size)
        return [
            Case("sends \(size) bytes as they are") { stage in
                try await expectArrival(of: data, as: .bytes(data), on: stage)
            },
            Case("sends a file of \(size) bytes as it is") { stage in
                let file = FileManager.default.temporaryDirectory.appendingPathComponent("body-\(UUID().uuidString)")
                try data.write(to: file)
                defer { try? FileManager.default.removeItem(at: file) }
                try await expectArrival(of: data, as: .file(file), on: stage)
            },
            Case("sends a stream of \(size) bytes, its length known") { stage in
                let request = try await expectArrival(of: data, as: stream(of: data.pieces, length: size), on: stage)
                try stage.expect("chunked coding", request.isChunked, is: false)
            },
            Case("sends a stream of \(size) bytes, its length unknown") { stage in
                try await expectArrival(of: data, as: stream(of: data.pieces, length: nil), on: stage)
            },
        ]
    }

    @discardableResult
    private static func expectArrival(
        of data: Data,
        as body: RequestBody,
        on stage: ConformanceStage
    ) async throws -> LoopbackRequest {
        let request = try await stage.received(stage.request(.post, body: body))
        try stage.expect(body: request.body, is: data)
        let lengths = request.values(of: "Content-Length")
        let codings = request.values(of: "Transfer-Encoding")
        try stage.expect(
            lengths == [String(data.count)] && codings.isEmpty || lengths.isEmpty && codings == ["chunked"],
            "either the length or chunked coding",
            saw: "Content-Length \(lengths), Transfer-Encoding \(codings)"
        )
        return request
    }

    /// A body that breaks its promise must not reach the server as a whole one.
    private static func expectNoWholeRequest(on stage: ConformanceStage, with body: RequestBody) async throws {
        let error = try await stage.failure(of: stage.request(.post, body: body))
        try stage.expect(error.code != .cancelled, "an error about the body", saw: "\(error)")
        try stage.expect("the number of whole requests", stage.server.requests.count, is: 0)
    }

    static func stream(of pieces: [Data], length: Int?) -> RequestBody {
        .stream(length: length) {
            AsyncStream { continuation in
                for piece in pieces { continuation.yield(piece) }
                continuation.finish()
            }
        }
    }

    private static let typeCases: [Case] = [
        Case("adds the type that a body brings") { stage in
            let body = RequestBody.bytes(Data("{}".utf8), contentType: "application/json")
            let request = try await stage.received(stage.request(.post, body: body))
            try stage.expect("Content-Type", request.values(of: "Content-Type"), is: ["application/json"])
        },
        Case("keeps the type that a request sets") { stage in
            let headers: HTTPHeaders = ["content-type": "text/x-own"]
            let request = try await stage.received(stage.request(.post, headers: headers, body: .text("a")))
            try stage.expect("Content-Type", request.values(of: "Content-Type"), is: ["text/x-own"])
        },
        Case("sends no type without a body") { stage in
            let request = try await stage.received(stage.request(.post))
            try stage.expect("Content-Type", request.values(of: "Content-Type"), is: [])
        },
        Case("sends a body with DELETE") { stage in
            let request = try await stage.received(stage.request(.delete, body: .text("why")))
            try stage.expect("the body", request.bodyText, is: "why")
        },
        Case("sends a body with GET, or refuses it") { stage in
            do {
                let request = try await stage.received(stage.request(.get, body: .text("query")))
                try stage.expect("the body", request.bodyText, is: "query")
            } catch let error as NetworkError {
                try stage.expect(error, in: [.invalidRequest, .optionUnsupported], reach: .no)
            }
        },
    ]
}

extension Data {
    /// The data in pieces of uneven size.
    fileprivate var pieces: [Data] {
        var pieces: [Data] = []
        var rest = self[...]
        while !rest.isEmpty {
            let piece = rest.prefix(10_007 + pieces.count)
            pieces.append(Data(piece))
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }
}
