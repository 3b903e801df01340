import Foundation
import Pipeline

extension TransportConformance {
    /// A response is handed over while it arrives.
    static let streamingCases: [Case] = [
        Case("returns when the head is in, before the body is") { stage in
            let gate = LoopbackGate()
            stage.server.handle { _ in
                [.head(200, headers: ["Content-Length": "3"]), .wait(gate), .bytes("abc")]
            }
            let response = try await stage.transport.send(stage.request())
            try stage.expect("the status", response.status, is: 200)
            try stage.expect("the length", response.body.stream?.expectedLength, is: 3)
            gate.open()
            try await stage.expect(body: response.body.collect(), is: Data("abc".utf8))
        },
        Case("hands over each piece of a body when it arrives") { stage in
            let gates = (0..<5).map { _ in LoopbackGate() }
            let pieces = gates.indices.map { "piece \($0)" }
            stage.server.handle { _ in
                var steps: [LoopbackStep] = [.head(200, headers: ["Transfer-Encoding": "chunked"])]
                for (piece, gate) in zip(pieces, gates) { steps += [.chunk(piece), .wait(gate)] }
                return LoopbackReply(steps + [.lastChunk])
            }
            var chunks = try await stage.transport.send(stage.request()).body.makeAsyncIterator()
            for (piece, gate) in zip(pieces, gates) {
                var text = ""
                while text.utf8.count < piece.utf8.count, let chunk = try await chunks.next() {
                    text += String(decoding: chunk, as: UTF8.self)
                }
                try stage.expect("the piece", text, is: piece)
                gate.open()
            }
            try await stage.expect("what follows the last piece", chunks.next(), is: nil)
        },
        Case("answers before the body of the request is read, when the server does") { stage in
            stage.server.handleHead("POST", "/") { _ in .reply(.status(413, body: "too much")) }
            let body = RequestBody.bytes(ConformanceStage.pattern(100_000))
            let (response, text) = try await stage.exchange(stage.request(.post, body: body))
            try stage.expect("the status", response.status, is: 413)
            try stage.expect(body: text, is: Data("too much".utf8))
        },
        Case("keeps bodies of requests that run at once apart") { stage in
            stage.server.handle("GET", "/:number") { request in
                .chunked((0..<20).map { _ in request.parameters["number"] ?? "" })
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 10..<60 {
                    group.addTask {
                        let body = try await stage.exchange(stage.request(.get, "/\(number)")).body
                        try stage.expect(body: body, is: Data(String(repeating: "\(number)", count: 20).utf8))
                    }
                }
                try await group.waitForAll()
            }
        },
        Case("holds a transfer that nobody reads, if it claims back-pressure") { stage in
            guard stage.transport.capabilities.contains(.backPressure) else { return }
            let sent = LoopbackGate()
            let size = 64 << 20
            stage.server.handle("GET", "/held") { _ in
                .repeating(Data(count: 1 << 16), count: size >> 16).then(.wait(sent))
            }
            stage.server.handle("GET", "/free") { _ in .repeating(Data(count: 1 << 16), count: 16) }
            let held = try await stage.transport.send(stage.request(.get, "/held"))
            // Enough for the other to have come through, if nothing held it.
            for _ in 0..<100 {
                try await stage.expect(
                    "the free body",
                    stage.exchange(stage.request(.get, "/free")).body.count,
                    is: 1 << 20
                )
            }
            try stage.expect("whether the unread body was sent whole", sent.arrivals, is: 0)
            var count = 0
            for try await chunk in held.body { count += chunk.count }
            try stage.expect("the size of the held body", count, is: size)
        },
    ]
}
