import Dispatch
import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct FaceTests {
    @Test(arguments: Face.allCases)
    func `delivers the value`(face: Face) async throws {
        let network = Network(baseURL: api, transport: ScriptedTransport([.status(200, body: "hello")]))

        #expect(try await face.send(GetGreeting(), on: network).get() == "hello")
    }

    @Test(arguments: Face.allCases)
    func `delivers errors of every step`(face: Face) async throws {
        let network = Network(
            baseURL: api,
            transport: ScriptedTransport([
                .status(500), .status(200, body: "no number"), .failure(NetworkError(.connectionLost)),
            ])
        )

        #expect(await face.send(GetGreeting(), on: network).code == .unacceptableStatus)
        #expect(await face.send(GetValue<Int>(), on: network).code == .decodingFailed)
        #expect(await face.send(GetGreeting(), on: network).code == .connectionLost)
        #expect(await face.send(GetGreeting { $0.method = "B AD" }, on: network).code == .invalidRequest)
    }

    @Test(arguments: Face.allCases)
    func `cancels`(face: Face) async throws {
        let server = ConversationTransport()
        let network = Network(baseURL: api, transport: server)
        let cancel = OneShot<@Sendable () -> Void>()
        async let result = face.send(GetGreeting(), on: network) { cancel.resolve($0) }
        let exchange = await server.nextExchange()
        await cancel.value()()
        await exchange.untilCancelled()

        #expect(await result.code == .cancelled)
        #expect(network.inFlight.isEmpty)
    }

    @Test(arguments: Face.allCases)
    func `is cancelled by the network`(face: Face) async throws {
        let server = ConversationTransport()
        let network = Network(baseURL: api, transport: server)
        async let result = face.send(GetGreeting(), on: network)
        _ = await server.nextExchange()
        network.cancelAll()

        #expect(await result.code == .cancelled)
    }

    @Test(arguments: Face.allCases)
    func `decodes off the main queue`(face: Face) async throws {
        struct Probe: Request {
            func buildRequest(with baseURL: URL) -> NetworkRequest { NetworkRequest(url: baseURL) }

            func response(from response: NetworkResponse) async throws -> Bool {
                dispatchPrecondition(condition: .notOnQueue(.main))
                return true
            }
        }
        let network = Network(baseURL: api, transport: ScriptedTransport([.status(200)]))
        let isOff = await Task { @MainActor in await face.send(Probe(), on: network) }.value

        #expect(try isOff.get())
    }

    @Test func `dropping the handle does not cancel, releasing the bag does`() async throws {
        let server = ConversationTransport()
        let network = Network(baseURL: api, transport: server)
        let kept = OneShot<Result<String, NetworkError>>()
        network.send(GetGreeting(), on: .global()) { kept.resolve($0) }
        await server.nextExchange().respond(body: "hello")
        #expect(try await kept.value().get() == "hello")

        let dropped = OneShot<Result<String, NetworkError>>()
        var bag: SendBag? = SendBag()
        network.send(GetGreeting(), on: .global()) { dropped.resolve($0) }.store(in: try #require(bag))
        _ = await server.nextExchange()
        bag = nil
        #expect(await dropped.value().code == .cancelled)
    }

    @Test func `no success is delivered after cancel, even if it was on its way`() async throws {
        let queue = DispatchQueue(label: "test.held")
        let network = Network(baseURL: api, transport: ScriptedTransport([.status(200, body: "hello")]))
        let ended = OneShot<Void>()
        let monitored = Network(
            baseURL: api,
            transport: ScriptedTransport([.status(200, body: "hello")]),
            configuration: .init(time: SystemTime.shared, monitors: [OnEnd { ended.resolve(()) }])
        )
        _ = network
        queue.suspend()
        let result = OneShot<Result<String, NetworkError>>()
        let handle = monitored.send(GetGreeting(), on: queue) { result.resolve($0) }
        await ended.valueOrCancellation()
        handle.cancel()
        handle.cancel()
        queue.resume()

        #expect(await result.value().code == .cancelled)
    }

    @Test func `a reply tells status, fields, attempts and what was sent`() async throws {
        let network = Network(
            baseURL: api,
            transport: ScriptedTransport([.status(201, headers: ["X-Page": 2], body: "hello")])
        )
        let reply = try await network.reply(to: GetGreeting())

        #expect(reply.value == "hello")
        #expect(reply.status == 201)
        #expect(reply.headers["X-Page"] == "2")
        #expect(reply.attempts == 1)
        #expect(reply.response.request.url.path == "/greeting")
    }
}

/// F13: registration is safe at any time; derived networks are snapshots.
@Suite(.timeLimit(.minutes(3)))
struct RegistrationTests {
    let log = EventLog()

    func recorder(_ name: String) -> RecordingAction { RecordingAction(name, log: log) }

    @Test func `a send uses the list as it stood when it began`() async throws {
        let server = ConversationTransport()
        let network = Network(baseURL: api, actions: [recorder("A")], transport: server)
        async let first = network.send(GetGreeting())
        let exchange = await server.nextExchange()
        network.add(recorder("B"))
        exchange.respond()
        _ = try await first
        #expect(!log.lines.contains { $0.hasPrefix("B") })

        async let second = network.send(GetGreeting())
        await server.nextExchange().respond()
        _ = try await second
        #expect(log.lines.contains("B completed 200"))
    }

    @Test func `derived networks keep their list and share what is under way`() async throws {
        let server = ConversationTransport()
        let network = Network(baseURL: api, actions: [recorder("A"), HookAction()], transport: server)
        let more = network.adding(recorder("B"))
        let less = network.removing(RecordingAction.self)
        network.add(recorder("C"))
        #expect(network.actions.count == 3)
        #expect(more.actions.count == 3)
        #expect(less.actions.count == 1)
        #expect(network.removing { $0 is HookAction }.actions.count == 2)

        async let result = more.result(of: GetGreeting())
        _ = await server.nextExchange()
        #expect(network.inFlight.count == 1)
        less.cancelAll()
        #expect(await result.code == .cancelled)
        #expect(!log.lines.contains { $0.hasPrefix("C") })
    }

    @Test func `actions can be added while a thousand sends run`() async throws {
        let network = Network(baseURL: api, transport: ScriptedTransport { .init(status: 200, request: $0) })
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    if number % 50 == 0 { network.add(HookAction()) }
                    #expect(await network.result(of: GetGreeting()).code == nil)
                }
            }
        }
        #expect(network.actions.count == 20)
    }

    @Test func `an action's own sends know their parent and have their own deadline`() async throws {
        let seen = OneShot<(parent: SendID?, own: SendID)>()
        let refreshing = HookAction(willBegin: { request in
            guard request.context.parent == nil else { throw Refused() }
            let inner = try request.context.network(removing: HookAction.self)
            let response = try await inner.send(NetworkRequest(url: api))
            seen.resolve((response.request.context.parent?.id, request.context.id))
            return .proceed(request)
        })
        let server = ScriptedTransport([.status(200), .status(200, body: "hello")])

        #expect(
            try await Network(baseURL: api, actions: [refreshing], transport: server).send(GetGreeting()) == "hello"
        )
        let (parent, own) = await seen.value()
        #expect(parent == own)
    }

    @Test func `an error of another send is the cause of this one's`() async throws {
        let refreshing = HookAction(willBegin: { request in
            _ = try await request.context.network(removing: HookAction.self)
                .send(NetworkRequest(url: api.appending(path: "token")))
            return .proceed(request)
        })
        let server = ScriptedTransport([.status(400, body: "rejected")])
        let error = await #expect(throws: NetworkError.self) {
            try await Network(baseURL: api, actions: [refreshing], transport: server).send(GetGreeting())
        }

        #expect(error?.code == .actionFailed)
        #expect(error?.step == .action("HookAction"))
        #expect(error?.request?.url == "https://api.test/greeting")
        #expect(error?.statusCode == nil)
        let cause = error?.underlying?.networkError
        #expect(cause?.statusCode == 400)
        #expect(cause?.request?.url == "https://api.test/token")
    }
}

struct OnEnd: EventMonitor {
    let notify: @Sendable () -> Void

    init(_ notify: @escaping @Sendable () -> Void) { self.notify = notify }

    func record(_ event: SendEvent) {
        if case .ended = event.kind { notify() }
    }
}
