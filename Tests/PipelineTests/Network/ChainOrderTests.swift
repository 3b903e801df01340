import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// F1: the order of actions. F2: will-begin decides. F3: notices. F5: unwinding. F6: re-entry.
@Suite(.timeLimit(.minutes(3)))
struct ChainOrderTests {
    let log = EventLog()

    func recorder(_ name: String, _ zone: ActionZone = .send) -> RecordingAction {
        RecordingAction(name, log: log, zone: zone)
    }

    func network(_ actions: [any Action], _ answers: [ScriptedTransport.Answer]) -> Network {
        Network(baseURL: api, actions: actions, transport: ScriptedTransport(answers))
    }

    @Test func `visits the send zone before the hop zone, and the network's actions before the request's own`()
        async throws
    {
        let network = network(
            [recorder("hop", .hop), recorder("send 1"), recorder("send 2")],
            [.status(200)]
        )
        let own = [recorder("own hop", .hop), recorder("own send")]
        _ = try await network.send(GetGreeting { $0.actions = own })

        let wayIn = ["send 1", "send 2", "own send", "hop", "own hop"]
        let expected =
            wayIn.map { "\($0) will begin" } + wayIn.map { "\($0) began" } + wayIn.map { "\($0) response began" }
            + wayIn.reversed().map { "\($0) completed 200" }
        #expect(log.lines == expected)
    }

    @Test func `a group stands where it was put, each member in its own zone`() async throws {
        let group = ActionGroup([recorder("B", .hop), ActionGroup([recorder("A")])])
        _ = try await network([group, recorder("C")], [.status(200)]).send(GetGreeting())

        #expect(log.lines.filter { $0.hasSuffix("will begin") } == ["A will begin", "C will begin", "B will begin"])
    }

    @Test func `an action that answers is not told its answer, and those further in are not started`() async throws {
        let answering = HookAction(
            willBegin: { .respond(NetworkResponse(status: 203, body: .bytes(Data("memory".utf8)), request: $0)) },
            completed: { [log] outcome, _ in
                log.append("answering completed")
                return .deliver(try outcome.get())
            }
        )
        let text = try await network([recorder("out"), answering, recorder("in")], []).send(GetGreeting())

        #expect(text == "memory")
        #expect(log.lines == ["out will begin", "out completed 203"])
    }

    @Test func `an action that throws is not told its failure, those further out are`() async throws {
        let throwing = HookAction(
            willBegin: { _ in throw Refused() },
            completed: { [log] outcome, _ in
                log.append("throwing completed")
                return .deliver(try outcome.get())
            }
        )
        let error = await #expect(throws: NetworkError.self) {
            try await network([recorder("out"), throwing, recorder("in")], []).send(GetGreeting())
        }

        #expect(error?.code == .actionFailed)
        #expect(error?.step == .action("HookAction"))
        #expect(error?.underlying is Refused)
        #expect(error?.reach == .no)
        #expect(log.lines == ["out will begin", "out completed action-failed"])
    }

    @Test func `what a response-completed action throws is the outcome for those further out`() async throws {
        let throwing = HookAction(completed: { _, _ in throw Refused() })
        let error = await #expect(throws: NetworkError.self) {
            try await network([recorder("out"), throwing, recorder("in")], [.status(200)]).send(GetGreeting())
        }

        #expect(error?.code == .actionFailed)
        #expect(log.lines.suffix(2) == ["in completed 200", "out completed action-failed"])
    }

    @Test func `notices come on every attempt, and none come without one`() async throws {
        let retrying = HookAction.retrying { outcome, request in outcome.status == 503 && request.pass == 1 }
        _ = try await network([recorder("out"), retrying, recorder("in")], [.status(503), .status(200)])
            .send(GetGreeting())

        #expect(
            log.lines == [
                "out will begin", "in will begin", "out began", "in began", "out response began", "in response began",
                "in completed 503",
                "in will begin", "out began", "in began", "out response began", "in response began", "in completed 200",
                "out completed 200",
            ]
        )
    }

    @Test func `a retry starts from the request as it first came to the action, so edits do not pile up`() async throws
    {
        let adding = { (name: String) in
            HookAction(willBegin: { request in
                var request = request
                request.headers.append(name: "X-Trail", value: "\(name)\(request.pass)")
                return .proceed(request)
            })
        }
        let retrying = HookAction(
            willBegin: { request in
                var request = request
                request.headers.append(name: "X-Trail", value: "r\(request.pass)")
                return .proceed(request)
            },
            completed: { outcome, request in
                outcome.status == 503 ? .retry(after: .zero) : .deliver(try outcome.get())
            }
        )
        let server = ScriptedTransport([.status(503), .status(503), .status(200)])
        _ = try await Network(
            baseURL: api,
            actions: [adding("a"), retrying, adding("b")],
            transport: server
        ).send(GetGreeting())

        #expect(
            server.requests.map { $0.headers.values(of: "X-Trail") } == [
                ["a1", "r1", "b1"], ["a1", "r2", "b1"], ["a1", "r3", "b1"],
            ]
        )
    }

    @Test func `a retry with another request starts from that one`() async throws {
        let replacing = HookAction(completed: { outcome, request in
            guard request.pass == 1 else { return .deliver(try outcome.get()) }
            var other = request
            other.url = api.appending(path: "elsewhere")
            return .retry(after: .zero, with: other)
        })
        let server = ScriptedTransport([.status(503), .status(200)])
        _ = try await Network(baseURL: api, actions: [replacing], transport: server).send(GetGreeting())

        #expect(server.requests.map(\.url.path) == ["/greeting", "/elsewhere"])
    }

    @Test func `passes are counted per action and afresh when it is entered from outside`() async throws {
        let inner = HookAction.retrying { outcome, request in
            outcome.status == 503 && request.pass < 2
        }
        let passes = EventLog()
        let counting = HookAction(willBegin: { request in
            passes.append("\(request.pass)")
            return .proceed(request)
        })
        let outer = HookAction.retrying { outcome, request in outcome.status == 503 && request.pass < 2 }
        let server = ScriptedTransport { .init(status: 503, request: $0) }
        let error = await #expect(throws: NetworkError.self) {
            try await Network(baseURL: api, actions: [outer, inner, counting], transport: server).send(GetGreeting())
        }

        #expect(error?.statusCode == 503)
        #expect(error?.attempts == 4)
        #expect(passes.lines == ["1", "1", "1", "1"])
    }

    @Test func `an action sees its own edits in response-completed, and the response tells what was sent`() async throws
    {
        let seen = EventLog()
        func adding(_ name: String) -> HookAction {
            HookAction(
                willBegin: { request in
                    var request = request
                    request.headers.append(name: "X-Trail", value: name)
                    return .proceed(request)
                },
                completed: { outcome, request in
                    let response = try outcome.get()
                    let own = request.headers.values(of: "X-Trail").joined()
                    let sent = response.request.headers.values(of: "X-Trail").joined()
                    seen.append("\(name): \(own), sent \(sent)")
                    return .deliver(response)
                }
            )
        }
        _ = try await network([adding("a"), adding("b")], [.status(200)]).send(GetGreeting())

        #expect(seen.lines == ["b: ab, sent ab", "a: a, sent ab"])
    }

    @Test func `every action that let the request pass sees transport failures too, once`() async throws {
        let error = await #expect(throws: NetworkError.self) {
            try await network([recorder("A"), recorder("B")], [.failure(NetworkError(.connectionLost))])
                .send(GetGreeting())
        }

        #expect(error?.code == .connectionLost)
        #expect(
            log.lines.filter { $0.contains("completed") } == [
                "B completed connection-lost", "A completed connection-lost",
            ]
        )
    }
}

struct Refused: Error {}
