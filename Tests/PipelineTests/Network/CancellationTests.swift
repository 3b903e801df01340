import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// F9: every send ends once. F11: cancellation ends every wait of the engine at once.
@Suite(.timeLimit(.minutes(3)))
struct CancellationTests {
    let server = ConversationTransport()
    let log = EventLog()

    func network(_ actions: [any Action] = [], time: any TimeSource = SystemTime.shared) -> Network {
        Network(baseURL: api, actions: actions, transport: server, configuration: .init(time: time))
    }

    @Test func `cancelling the task ends the wait for the transport and unwinds the chain`() async throws {
        let network = network([RecordingAction("A", log: log)])
        let task = Task { await network.result(of: GetGreeting()) }
        let exchange = await server.nextExchange()
        task.cancel()
        await exchange.untilCancelled()

        #expect(await task.value.code == .cancelled)
        #expect(log.lines.last == "A completed cancelled")
        #expect(network.inFlight.isEmpty)
    }

    @Test func `a transport that ignores cancellation cannot hold the send up, and its late answer is let go of`()
        async throws
    {
        let gate = OneShot<Void>()
        let late = OneShot<Void>()
        let stubborn = StubbornTransport(gate: gate, onAbandon: { late.resolve(()) })
        let network = Network(baseURL: api, transport: stubborn)
        let task = Task { await network.result(of: GetGreeting()) }
        await stubborn.untilSent()
        task.cancel()

        #expect(await task.value.code == .cancelled)
        gate.resolve(())
        await late.valueOrCancellation()
    }

    @Test func `cancelling ends a pause, and the retry is not carried out`() async throws {
        let clock = ManualClock()
        let network = network(
            [RecordingAction("out", log: log), HookAction.retrying(after: .seconds(9)) { _, _ in true }],
            time: clock
        )
        let task = Task { await network.result(of: GetGreeting()) }
        await server.nextExchange().respond(status: 503)
        _ = await clock.nextPause()
        task.cancel()

        #expect(await task.value.code == .cancelled)
        #expect(log.lines.last == "out completed cancelled")
        #expect(server.pendingExchanges == 0)
    }

    @Test func `a retry after cancellation is not carried out`() async throws {
        let network = network([HookAction.retrying { _, _ in true }])
        let task = Task { await network.result(of: GetGreeting()) }
        _ = await server.nextExchange()
        task.cancel()

        #expect(await task.value.code == .cancelled)
        #expect(server.pendingExchanges == 0)
    }

    @Test func `a task that is cancelled before it sends gets a cancelled error and sends nothing`() async throws {
        let network = network()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await network.result(of: GetGreeting())
        }

        #expect(await task.value.code == .cancelled)
        #expect(network.inFlight.isEmpty)
    }

    @Test func `cancels by identity, by tag, and all`() async throws {
        let network = network()
        async let first = network.result(of: GetGreeting { $0.tag = "list" })
        async let second = network.result(of: GetGreeting { $0.tag = "detail" })
        async let third = network.result(of: GetGreeting())
        for _ in 0..<3 { _ = await server.nextExchange() }
        #expect(network.inFlight.count == 3)
        #expect(network.inFlight.allSatisfy { $0.phase == .transferring && $0.attempt == 1 })

        network.cancel(tag: "list")
        #expect(await first.code == .cancelled)
        let detail = try #require(network.inFlight.first { $0.tag == "detail" })
        network.adding().cancel(detail.id)
        #expect(await second.code == .cancelled)
        network.cancelAll()
        #expect(await third.code == .cancelled)
    }

    @Test func `a CancellationError of its own making does not count as cancellation`() async throws {
        let network = network([HookAction(willBegin: { _ in throw CancellationError() })])
        let error = await #expect(throws: NetworkError.self) { try await network.send(GetGreeting()) }

        #expect(error?.code == .actionFailed)
        #expect(error?.isCancellation == false)
    }

    @Test func `a success that comes after cancellation is not delivered by the chain`() async throws {
        let answering = OneShot<Void>()
        let held = HookAction(completed: { outcome, request in
            try request.context.network(removing: HookAction.self).cancelAll()
            answering.resolve(())
            return .deliver(try outcome.get())
        })
        let network = network([RecordingAction("out", log: log), held])
        async let result = network.result(of: GetGreeting())
        await server.nextExchange().respond(body: "hello")
        await answering.valueOrCancellation()

        #expect(await result.code == .cancelled)
        #expect(log.lines.last == "out completed cancelled")
    }

    @Test func `releasing the network does not end its sends`() async throws {
        var network: Network? = network()
        let released = Weak(network)
        let task = Task { [network] in try await network?.send(GetGreeting()) }
        let exchange = await server.nextExchange()
        network = nil
        exchange.respond(body: "hello")

        #expect(try await task.value == "hello")
        #expect(released.value == nil)
    }

    @Test func `whoever keeps a response does not keep the network`() async throws {
        let leaks = LeakCheck()
        var kept: NetworkResponse?
        do {
            let transport = ScriptedTransport([.status(200)])  // It remembers its requests, too.
            let network = Network(
                baseURL: api,
                actions: [HoldingAction(leaks.token("action"))],
                transport: transport,
                configuration: .init(time: SystemTime.shared, monitors: [RecordingMonitor()])
            )
            kept = try await network.reply(to: GetGreeting()).response
        }
        await leaks.untilAllReleased()

        let context = try #require(kept?.request.context)
        #expect(context.attempt == 1)
        let error = #expect(throws: NetworkError.self) { try context.network(removing: HookAction.self) }
        #expect(error?.code == .sendEnded)
    }

    @Test func `everything is released after the last send`() async throws {
        let leaks = LeakCheck()
        do {
            let network = Network(
                baseURL: api,
                actions: [HoldingAction(leaks.token("action"))],
                transport: HoldingTransport(token: leaks.token("transport"))
            )
            let callback = leaks.token("callback")
            let done = OneShot<Void>()
            network.send(GetGreeting(), on: .global()) { _ in
                withExtendedLifetime(callback) { _ = done.resolve(()) }
            }
            await done.valueOrCancellation()
            _ = await network.result(of: GetGreeting { $0.delivery = .stream })
            _ = await network.result(of: GetGreeting { $0.url = URL(string: "ftp://x")! })
        }
        await leaks.untilAllReleased()
    }
}

/// Many sends, cancelled at moments that chance picks.
@Suite(.timeLimit(.minutes(2)))
struct CancellationRaceTests {
    @Test func `of 5000 sends cancelled at any moment each ends once and nothing stays`() async throws {
        let leaks = LeakCheck()
        do {
            let counter = EndCounter(token: leaks.token("monitor"))
            let network = Network(
                baseURL: api,
                actions: [
                    RecordingAction("A", log: EventLog()),
                    HookAction.retrying { outcome, request in outcome.status == 503 && request.pass < 3 },
                    HoldingAction(leaks.token("action")),
                ],
                transport: BusyTransport(token: leaks.token("transport")),
                configuration: .init(time: SystemTime.shared, monitors: [counter])
            )
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<5000 {
                    group.addTask {
                        let task = Task { await network.result(of: GetGreeting { $0.tag = "\(number)" }) }
                        switch number % 4 {
                        case 0: task.cancel()
                        case 1: network.cancel(tag: "\(number)")
                        case 2:
                            for _ in 0..<(number % 17) { await Task.yield() }
                            task.cancel()
                        default: break
                        }
                        let result = await task.value
                        return result.code == nil || result.code == .cancelled || result.code == .unacceptableStatus
                    }
                }
                return await group.reduce(into: [Bool]()) { $0.append($1) }
            }

            #expect(outcomes.count == 5000)
            #expect(outcomes.allSatisfy { $0 })
            #expect(network.inFlight.isEmpty)
            #expect(counter.ends.count == 5000)
            #expect(counter.ends.values.allSatisfy { $0 == 1 })
        }
        await leaks.untilAllReleased()
    }
}

extension Result where Failure == NetworkError {
    /// The code of the error, if it is one.
    var code: NetworkError.Code? {
        if case .failure(let error) = self { error.code } else { nil }
    }
}

/// Counts how often each send was said to have ended.
private final class EndCounter: EventMonitor {
    private let counts = Locked<[SendID: Int]>([:])
    private let token: LeakCheck.Token

    init(token: LeakCheck.Token) { self.token = token }

    var ends: [SendID: Int] { counts.withLock { $0 } }

    func record(_ event: SendEvent) {
        if case .ended = event.kind { counts.withLock { $0[event.id, default: 0] += 1 } }
    }
}

/// Answers when the gate opens, whatever happens to its task.
private final class StubbornTransport: Transport {
    private let gate: OneShot<Void>
    private let onAbandon: @Sendable () -> Void
    private let sent = OneShot<Void>()

    init(gate: OneShot<Void>, onAbandon: @escaping @Sendable () -> Void) {
        self.gate = gate
        self.onAbandon = onAbandon
    }

    func untilSent() async { await sent.valueOrCancellation() }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        sent.resolve(())
        await gate.valueOrCancellation()
        let stream = BodyStream(BodyPipe(onCancel: onAbandon))
        return NetworkResponse(status: 200, body: .stream(stream), request: request)
    }
}

/// Holds on to a token and answers at once.
private struct HoldingTransport: Transport {
    let token: LeakCheck.Token

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        let pipe = BodyPipe()
        pipe.write(Data("hello".utf8))
        pipe.finish()
        return NetworkResponse(status: 200, body: .stream(BodyStream(pipe)), request: request)
    }
}

/// Answers after a few turns of the scheduler, sometimes with 503, sometimes with a streamed body.
private struct BusyTransport: Transport {
    let token: LeakCheck.Token

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        for _ in 0..<Int.random(in: 0..<8) { await Task.yield() }
        try Task.checkCancellation()
        let pipe = BodyPipe()
        pipe.write(Data("hello".utf8))
        Task {
            await Task.yield()
            pipe.finish()
        }
        return NetworkResponse(
            status: Bool.random() ? 200 : 503,
            body: .stream(BodyStream(pipe)),
            request: request
        )
    }
}

/// A reference that does not keep what it refers to.
private final class Weak<Object: AnyObject & Sendable>: Sendable {
    private let object: Locked<Reference>

    private struct Reference {
        weak var object: Object?
    }

    init(_ object: Object?) { self.object = Locked(Reference(object: object)) }

    var value: Object? { object.withLock { $0.object } }
}
