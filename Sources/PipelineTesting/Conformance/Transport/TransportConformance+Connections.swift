import Foundation
import Pipeline

extension TransportConformance {
    /// Connections are kept and let go of, and no request is sent twice that must not be.
    static let connectionCases: [Case] =
        reuseCases + [
            Case("sends 50 requests at once") { stage in
                let barrier = LoopbackGate()
                stage.server.handle { request in .text(request.target).after(.wait(barrier)) }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<50 {
                        group.addTask {
                            let body = try await stage.exchange(stage.request(.get, "/\(number)")).body
                            try stage.expect(body: body, is: Data("/\(number)".utf8))
                        }
                    }
                    // One connection may serve them one after the other, so only the first is sure to arrive.
                    await barrier.arrival()
                    barrier.open()
                    try await group.waitForAll()
                }
                try stage.expect("the number of requests", stage.server.requests.count, is: 50)
            },
            Case("sends to an IPv6 address") { stage in
                let server = try LoopbackServer(address: .ipv6)
                server.handle { _ in .text("six") }
                try await stage.expect(
                    body: stage.exchange(NetworkRequest(url: server.url("/"))).body,
                    is: Data("six".utf8)
                )
            },
            Case("closes its connections when it is shut down") { stage in
                _ = try await stage.exchange(stage.request())
                await stage.transport.shutdown()
                let connection = await stage.server.nextClosedConnection()
                try stage.expect("whether the client closed", connection.wasClosedByClient, is: true)
            },
            Case("closes its connections when it is released") { stage in
                // In a function of its own, so that nothing holds the transport when it returns.
                try await sendOnce(over: stage.makeTransport(), on: stage)
                let connection = await stage.server.nextClosedConnection()
                try stage.expect("whether the client closed", connection.wasClosedByClient, is: true)
            },
        ] + repetitionCases

    private static func sendOnce(over transport: any Transport, on stage: ConformanceStage) async throws {
        _ = try await transport.send(stage.request()).body.collect()
    }

    private static let reuseCases: [Case] = [
        Case("uses a connection again") { stage in
            for index in 0..<3 {
                let request = try await stage.received(stage.request())
                try stage.expect("the connection of request \(index + 1)", request.connectionID, is: 1)
            }
        },
        Case("uses no connection again that the server said it closes") { stage in
            stage.server.handle { _ in .text("bye", headers: ["Connection": "close"]) }
            for index in 0..<2 {
                let request = try await stage.received(stage.request())
                try stage.expect("the connection of request \(index + 1)", request.connectionID, is: index + 1)
            }
        },
        Case("does not see that a connection was closed while it rested") { stage in
            stage.server.handle { _ in .text("ok").then(.close) }
            for _ in 0..<5 {
                let body = try await stage.exchange(stage.request()).body
                try stage.expect(body: body, is: Data("ok".utf8))
                _ = await stage.server.nextClosedConnection()
            }
        },
    ]

    /// RFC 9110, section 9.2.2: who cannot know whether a request was carried out does not repeat it, unless it is idempotent.
    private static let repetitionCases: [Case] =
        [HTTPMethod.post, .patch].flatMap { method in
            [RequestBody.none, .text("order")].map { body in
                Case("sends \(method) \(body.isEmpty ? "without" : "with") a body once, when a new connection dies") {
                    stage in
                    stage.server.handle { _ in [.close] }
                    let request = stage.request(method, body: body)
                    try await stage.expectFailure(.connectionLost, reach: .maybe, of: request)
                    try stage.expect("the number of requests", stage.server.requests.count, is: 1)
                }
            }
                + [RequestBody.none, .text("order")].map { body in
                    Case(
                        "sends \(method) \(body.isEmpty ? "without" : "with") a body once, when a used connection dies"
                    ) { stage in
                        try await warmUp(stage)
                        do {
                            // A transport may keep clear of used connections: then there is an answer.
                            let answer = try await stage.exchange(stage.request(method, body: body)).body
                            try stage.expect(body: answer, is: Data("answer".utf8))
                        } catch let error as NetworkError {
                            try stage.expect(error, in: [.connectionLost], reach: .maybe)
                        }
                        try stage.expect(
                            "the number of requests",
                            stage.server.requests.map(\.method).dropFirst(),
                            is: [method.rawValue]
                        )
                    }
                }
        } + [
            Case("sends GET again over a new connection, once, when a used one dies") { stage in
                try await warmUp(stage)
                try await stage.expect(body: stage.exchange(stage.request()).body, is: Data("answer".utf8))
                try stage.expect("the number of requests", stage.server.requests.count, is: 3)
            },
            Case("sends GET once, when a new connection dies") { stage in
                stage.server.handle { _ in [.close] }
                try await stage.expectFailure(.connectionLost, reach: .maybe, of: stage.request())
                try stage.expect("the number of requests", stage.server.requests.count, is: 1)
            },
        ]

    /// Brings a connection into use that dies with its second request. A request on another connection is answered.
    private static func warmUp(_ stage: ConformanceStage) async throws {
        stage.server.handle { request in
            if request.connectionID == 1, request.index == 1 { [.close] } else { .text("answer") }
        }
        _ = try await stage.exchange(stage.request())
    }
}
