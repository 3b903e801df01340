import Foundation
import Pipeline

extension TransportConformance {
    /// A cancelled attempt ends promptly and lets go of its connection.
    static let cancellationCases: [Case] = [
        Case("sends nothing when it was cancelled before") { stage in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await stage.transport.send(stage.request())
            }
            try await expectCancelled(task, on: stage)
            try stage.expect("the number of requests", stage.server.requests.count, is: 0)
        },
        Case("ends when it is cancelled before the head, and closes the connection") { stage in
            stage.server.handle { _ in .never }
            let task = Task { try await stage.transport.send(stage.request()) }
            _ = await stage.server.nextRequest()
            task.cancel()
            try await expectCancelled(task, on: stage)
            try await expectClosedConnection(on: stage)
        },
        Case("ends when it is cancelled while it sends") { stage in
            let gate = LoopbackGate()
            stage.server.handleHead("POST", "/") { _ in .readBody(after: [.wait(gate)]) }
            let body = RequestBody.bytes(ConformanceStage.pattern(8_000_000))
            let task = Task { try await stage.transport.send(stage.request(.post, body: body)) }
            await gate.arrival()
            task.cancel()
            try await expectCancelled(task, on: stage)
            gate.open()
        },
        Case("ends when it is cancelled while a body stream has nothing to send") { stage in
            let isRead = OneShot<Void>()
            let body = RequestBody.stream {
                AsyncStream<Data>(unfolding: {
                    isRead.resolve(())
                    await OneShot<Void>().valueOrCancellation()
                    return nil
                })
            }
            let task = Task { try await stage.transport.send(stage.request(.post, body: body)) }
            await isRead.valueOrCancellation()
            task.cancel()
            try await expectCancelled(task, on: stage)
        },
        Case("ends a body that is cancelled while it is read, and closes the connection") { stage in
            stage.server.handle { _ in
                [.head(200, headers: ["Content-Length": "100"]), .bytes("abc"), .wait(LoopbackGate())]
            }
            let hasBegun = OneShot<Void>()
            let task = Task {
                let response = try await stage.transport.send(stage.request())
                for try await _ in response.body { hasBegun.resolve(()) }
                return response
            }
            await hasBegun.valueOrCancellation()
            task.cancel()
            try await expectCancelled(task, on: stage)
            try await expectClosedConnection(on: stage)
        },
        Case("closes the connection of a body that nobody reads any more") { stage in
            stage.server.handle { _ in
                [.head(200, headers: ["Content-Length": "100"]), .bytes("abc"), .wait(LoopbackGate())]
            }
            _ = try await stage.transport.send(stage.request())
            try await expectClosedConnection(on: stage)
        },
        Case("goes on when others are cancelled") { stage in
            let gate = LoopbackGate()
            stage.server.handle("GET", "/kept") { _ in .text("kept").after(.wait(gate)) }
            stage.server.handle("GET", "/dropped") { _ in .never }
            async let kept = stage.exchange(stage.request(.get, "/kept"))
            for _ in 0..<10 {
                let task = Task { try await stage.transport.send(stage.request(.get, "/dropped")) }
                while await stage.server.nextRequest().target == "/kept" {}
                task.cancel()
                try await expectCancelled(task, on: stage)
            }
            gate.open()
            try await stage.expect(body: kept.body, is: Data("kept".utf8))
        },
        Case("ends once, however cancellation and answer meet") { stage in
            try await race(on: stage)
        },
    ]

    private static func expectCancelled<Value: Sendable>(
        _ task: Task<Value, any Error>,
        on stage: ConformanceStage
    ) async throws {
        do {
            _ = try await task.value
            throw stage.broken("cancellation", saw: "success")
        } catch let error as NetworkError {
            try stage.expect(error, in: [.cancelled])
        } catch is CancellationError {
            // The engine takes it for the same.
        }
    }

    private static func expectClosedConnection(on stage: ConformanceStage) async throws {
        let connection = await stage.server.nextClosedConnection()
        let ending = connection.ending.map { "\($0)" } ?? "none"
        try stage.expect(connection.wasClosedByClient, "an end of the connection by the client", saw: ending)
    }

    /// Answers come after 10 milliseconds, cancellations after 0 to 15: the two meet in every order.
    private static func race(on stage: ConformanceStage) async throws {
        stage.server.handle { _ in .text("tiny").after(.delay(.milliseconds(10))) }
        let rounds = 50
        let width = 64
        for _ in 0..<rounds {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<width {
                    let pause = Duration.microseconds(number * 15_000 / width)
                    group.addTask { try await raceOnce(after: pause, on: stage) }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func raceOnce(after pause: Duration, on stage: ConformanceStage) async throws {
        let task = Task { try await stage.exchange(stage.request()) }
        let limit = SystemTime.shared.startLimit(of: pause) { task.cancel() }
        defer { limit?.lift() }
        do {
            try await stage.expect(body: task.value.body, is: Data("tiny".utf8))
        } catch let error as NetworkError {
            try stage.expect(error, in: [.cancelled])
        } catch is CancellationError {
            // The engine takes it for the same.
        }
    }
}
