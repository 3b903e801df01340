import Foundation
import Pipeline

extension TransportConformance {
    /// The limits of a request strike where they are the transport's, and not before.
    static let limitCases: [Case] = timeCases + sizeCases

    private static let short = Duration.milliseconds(200)
    private static let long = Duration.seconds(60)

    private static let timeCases: [Case] = [
        Case("keeps the idle limit before the head") { stage in
            stage.server.handle { _ in .never }
            let request = stage.request(limits: TimeLimits(connect: short, idle: short))
            try await stage.expectFailure(.timedOutIdle, reach: .maybe, of: request)
        },
        Case("keeps the idle limit in the body, and closes the connection") { stage in
            stage.server.handle { _ in
                [.head(200, headers: ["Content-Length": "100"]), .bytes("abc"), .wait(LoopbackGate())]
            }
            let request = stage.request(limits: TimeLimits(connect: long, idle: short))
            try await stage.expectFailure(.timedOutIdle, of: request)
            let connection = await stage.server.nextClosedConnection()
            try stage.expect("whether the client closed", connection.wasClosedByClient, is: true)
        },
        Case("lets a body take longer than the idle limit while it moves") { stage in
            let piece: [LoopbackStep] = [.chunk("abc"), .delay(.milliseconds(250))]
            stage.server.handle { _ in
                LoopbackReply(
                    [.head(200, headers: ["Transfer-Encoding": "chunked"])]
                        + Array(repeating: piece, count: 6).flatMap { $0 }
                        + [.lastChunk]
                )
            }
            let request = stage.request(limits: TimeLimits(connect: .seconds(1), idle: .seconds(1)))
            try await stage.expect("the size of the body", stage.exchange(request).body.count, is: 18)
        },
        Case("keeps the connect limit") { stage in
            try await expectConnectLimit(on: stage, method: .get, body: .none)
        },
        Case("keeps the connect limit of a request with a body") { stage in
            try await expectConnectLimit(on: stage, method: .post, body: .text("form"))
        },
        Case("imposes no time limit of its own on a slow answer") { stage in
            stage.server.handle { _ in .text("late").after(.delay(.seconds(1))) }
            let request = stage.request(limits: TimeLimits(connect: .unlimited, idle: .unlimited))
            try await stage.expect(body: stage.exchange(request).body, is: Data("late".utf8))
        },
    ]

    /// A server that neither grants nor refuses connections.
    private static func expectConnectLimit(
        on stage: ConformanceStage,
        method: HTTPMethod,
        body: RequestBody
    ) async throws {
        let deaf = try LoopbackServer(accepts: false)
        var request = NetworkRequest(method: method, url: deaf.url("/"), body: body)
        request.timeLimits = TimeLimits(connect: short, idle: long)
        try await stage.expectFailure(.timedOutConnecting, reach: .no, of: request)
    }

    private static let sizeCases: [Case] = [
        Case("takes a body of exactly the size limit") { stage in
            stage.server.handle { _ in .text("12345") }
            try await stage.expect("the size", stage.exchange(stage.request(maximumSize: 5)).body.count, is: 5)
        },
        Case("refuses a body whose length is beyond the limit") { stage in
            stage.server.handle { _ in .text("123456") }
            try await stage.expectFailure(.responseTooLarge, reach: .maybe, of: stage.request(maximumSize: 5))
        },
        Case("refuses a body beyond the limit while it arrives") { stage in
            stage.server.handle { _ in
                [.head(200, headers: ["Transfer-Encoding": "chunked"]), .chunk("123456"), .wait(LoopbackGate())]
            }
            try await stage.expectFailure(.responseTooLarge, of: stage.request(maximumSize: 5))
            let connection = await stage.server.nextClosedConnection()
            try stage.expect("whether the client closed", connection.wasClosedByClient, is: true)
        },
        Case("refuses a body without end beyond the limit") { stage in
            stage.server.handle { _ in [.head(200), .repeating(Data(count: 1 << 16), count: 1 << 20)] }
            try await stage.expectFailure(.responseTooLarge, of: stage.request(maximumSize: 1 << 20))
        },
        Case("counts no body where there is none") { stage in
            stage.server.handle { _ in [.head(206, headers: ["Content-Length": "1000000"])] }
            let response = try await stage.exchange(stage.request(.head, maximumSize: 5)).response
            try stage.expect("the status", response.status, is: 206)
        },
    ]
}

extension ConformanceStage {
    fileprivate func request(limits: TimeLimits) -> NetworkRequest {
        var request = request()
        request.timeLimits = limits
        return request
    }

    fileprivate func request(_ method: HTTPMethod = .get, maximumSize: Int) -> NetworkRequest {
        var request = request(method)
        request.maximumResponseSize = maximumSize
        return request
    }
}
