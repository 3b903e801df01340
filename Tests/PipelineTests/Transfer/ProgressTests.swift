import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import TestSupport
import Testing

/// What the faces tell of progress, with a test that says what the transport reports.
@Suite(.timeLimit(.minutes(3)))
struct ProgressTests {
    let clock = ManualClock()
    let server = ConversationTransport()

    func network(_ actions: [any Action] = []) -> Network {
        Network(baseURL: api, actions: actions, transport: server, configuration: .init(time: clock))
    }

    @Test(arguments: Face.withProgress)
    func `tells what moves, and the last before the end`(face: Face) async throws {
        let told = Telling()
        async let result = face.send(GetGreeting(), on: network(), told: told.note)
        let exchange = await server.nextExchange()
        exchange.reports(sent: 3, of: 6)
        #expect(await told.next() == TransferProgress(.upload, completed: 3, total: 6))
        clock.advance(by: .seconds(1))
        exchange.reports(sent: 6, of: 6)
        #expect(await told.next() == TransferProgress(.upload, completed: 6, total: 6, rate: 3))
        exchange.reports(sent: 6, of: 6, received: 5, of: 5)
        exchange.respond(body: "hello")

        #expect(try await result.get() == "hello")
        #expect(told.all.last == TransferProgress(.download, completed: 5, total: 5))
        #expect(told.all.count == 3)
    }

    @Test(arguments: Face.withProgress)
    func `tells nothing of a retry until it has caught up`(face: Face) async throws {
        let retrying = HookAction.retrying(zone: .hop) { outcome, _ in outcome.status == nil }
        let told = Telling()
        async let result = face.send(GetGreeting(), on: network([retrying]), told: told.note)
        let first = await server.nextExchange()
        first.reports(sent: 4, of: 6)
        #expect(await told.next().completed == 4)
        first.fail(NetworkError(.connectionLost))
        let second = await server.nextExchange()
        for (sent, seconds) in [(2, 1), (4, 1), (6, 1)] {
            clock.advance(by: .seconds(seconds))
            second.reports(sent: sent, of: 6)
        }
        #expect(await told.next().completed == 6)
        second.respond(body: "hello")

        #expect(try await result.get() == "hello")
        #expect(told.all.map(\.completed) == [4, 6])
    }

    @Test func `a slow queue is told the latest, and never misses the end`() async throws {
        let isTold = OneShot<Void>()
        let mayGoOn = DispatchSemaphore(value: 0)  // It blocks the queue, and no thread that tasks need.
        let told = Telling { progress in
            guard progress.completed == 1 else { return }
            isTold.resolve(())
            mayGoOn.wait()
        }
        async let result = Face.queueProgress.send(GetGreeting(), on: network(), told: told.note)
        let exchange = await server.nextExchange()
        exchange.reports(sent: 1, of: 999)
        await isTold.valueOrCancellation()
        report(2...999, on: exchange)
        mayGoOn.signal()

        #expect(try await result.get() == "hello")
        #expect(told.all.map(\.completed) == [1, 999])
    }

    @Test func `a slow reader is told the latest, and never misses the end`() async throws {
        let mayRead = OneShot<Void>()
        let reading = Task { [network = network()] in
            var seen: [String] = []
            for try await update in network.updates(of: GetGreeting()) {
                switch update {
                case .progress(let progress): seen.append("\(progress.completed)")
                case .finished(let greeting): seen.append(greeting)
                }
                if seen.count == 1 { await mayRead.valueOrCancellation() }
            }
            return seen
        }
        let exchange = await server.nextExchange()
        exchange.reports(sent: 1, of: 999)
        report(2...999, on: exchange)
        mayRead.resolve(())
        let seen = try await reading.value

        #expect(seen.suffix(2) == ["999", "hello"])
        #expect(seen.count <= 3)
    }

    /// Reports bytes, a second apart, and answers.
    private func report(_ counts: ClosedRange<Int>, on exchange: ConversationTransport.Exchange) {
        for sent in counts {
            clock.advance(by: .seconds(1))
            exchange.reports(sent: sent, of: counts.upperBound)
        }
        exchange.respond(body: "hello")
    }

    @Test(arguments: Face.withProgress)
    func `tells nothing after it was cancelled`(face: Face) async throws {
        let told = Telling()
        let cancel = OneShot<@Sendable () -> Void>()
        async let result = face.send(GetGreeting(), on: network(), started: { cancel.resolve($0) }, told: told.note)
        let exchange = await server.nextExchange()
        await cancel.value()()
        await exchange.untilCancelled()
        #expect(await result.code == .cancelled)
        clock.advance(by: .seconds(1))
        exchange.reports(sent: 6, of: 6)

        #expect(told.all.isEmpty)
    }

    @Test func `the closure runs on the caller's actor`() async throws {
        let network = Network(baseURL: api, transport: server, configuration: .init(time: clock))
        let shown = Task { @MainActor in
            var shown: [Int] = []  // It is not sendable, and the closure of the main actor may touch it.
            let greeting = try await network.value(of: GetGreeting()) { progress in
                dispatchPrecondition(condition: .onQueue(.main))
                shown.append(progress.completed)
            }
            return (greeting, shown)
        }
        let exchange = await server.nextExchange()
        exchange.reports(sent: 3, of: 3)
        exchange.respond(body: "hello")

        #expect(try await shown.value == ("hello", [3]))
    }

    @Test func `the type and the actions of the request count as ever`() async throws {
        let log = EventLog()
        let names = OneShot<String>()
        let own = GetGreeting { request in
            request.actions = [RecordingAction("A", log: log)]
            request.headers["X-Own"] = "1"
        }
        let naming = HookAction(willBegin: { request in
            names.resolve("\(request.context.requestType)")
            return .proceed(request)
        })
        async let greeting = network([naming]).value(of: own) { _ in }
        let exchange = await server.nextExchange()
        exchange.respond(body: "hello")

        #expect(try await greeting == "hello")
        #expect(exchange.request.headers["X-Own"] == "1")
        #expect(await names.value() == "GetGreeting")
        #expect(log.lines.last == "A completed 200")
    }
}

/// The sequence.
@Suite(.timeLimit(.minutes(3)))
struct TransferUpdatesTests {
    let server = ConversationTransport()

    @Test func `is cold, and each iterator makes a send of its own`() async throws {
        let network = Network(baseURL: api, transport: server)
        let updates = network.updates(of: GetGreeting())
        _ = updates.makeAsyncIterator()
        #expect(network.inFlight.isEmpty)

        for body in ["one", "two"] {
            async let value = Self.value(of: updates)
            await server.nextExchange().respond(body: body)
            #expect(try await value == body)
        }
        #expect(server.pendingExchanges == 0)
    }

    @Test func `letting go of the iterator cancels the send`() async throws {
        let network = Network(baseURL: api, transport: server)
        let reading = Task {
            for try await update in network.updates(of: GetGreeting()) {
                guard case .progress = update else { continue }
                return
            }
        }
        let exchange = await server.nextExchange()
        exchange.reports(sent: 1, of: 2)
        try await reading.value
        await exchange.untilCancelled()

        #expect(exchange.isCancelled)
    }

    @Test func `letting go of the iterator after the value cancels nothing`() async throws {
        let network = Network(baseURL: api, transport: server)
        let reading = Task { try await Self.value(of: network.updates(of: GetStream())) }
        let pipe = await server.nextExchange().respondStreaming()
        let response = try #require(try await reading.value)
        pipe.write(Data("hello".utf8))
        pipe.finish()

        #expect(try await response.body.collect() == Data("hello".utf8))
    }

    @Test func `ends after an error`() async throws {
        let network = Network(baseURL: api, transport: ScriptedTransport([.status(500)]))
        var updates = network.updates(of: GetGreeting()).makeAsyncIterator()
        let error = await #expect(throws: NetworkError.self) { try await updates.next() }

        #expect(error?.statusCode == 500)
        #expect(try await updates.next() == nil)
    }

    private static func value<Value>(of updates: TransferUpdates<Value>) async throws -> Value? {
        for try await update in updates {
            if case .finished(let value) = update { return value }
        }
        return nil
    }
}

/// A request whose body is left a stream.
private struct GetStream: Request {
    func buildRequest(with baseURL: URL) -> NetworkRequest { NetworkRequest(url: baseURL, delivery: .stream) }

    func response(from response: NetworkResponse) async throws -> NetworkResponse { response }
}
