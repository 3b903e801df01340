import Pipeline
import PipelineTesting
import TestSupport
import Testing

@MainActor
@Suite(.timeLimit(.minutes(3)))
struct LoaderTests {
    private let server = ConversationTransport()
    private let loader: Loader<String>
    private let changes = Changes()

    private final class Changes {
        var texts: [String] = []
        var wanted: (text: String, seen: OneShot<Void>)?

        func note(_ text: String) {
            texts.append(text)
            if let wanted, wanted.text == text { wanted.seen.resolve(()) }
        }

        /// Waits for a state.
        func untilSeen(_ text: String) async {
            if texts.last == text { return }
            let seen = OneShot<Void>()
            wanted = (text, seen)
            await seen.value()
        }
    }

    init() {
        loader = Loader(Network(baseURL: api, transport: server))
        loader.onChange = { [changes] in changes.note($0.text) }
    }

    @Test func `follows a send`() async {
        #expect(loader.state.text == "idle")
        loader.load(GetGreeting())
        #expect(loader.state.text == "loading")
        await server.nextExchange().respond(body: "hello")
        await changes.untilSeen("loaded hello")

        #expect(loader.state.value == "hello")
        #expect(Set(changes.texts) == ["loading", "loaded hello"])
    }

    @Test func `a load that begins ends the one before`() async {
        loader.load(GetGreeting())
        let first = await server.nextExchange()
        loader.load(GetGreeting())
        await first.untilCancelled()
        await server.nextExchange().respond(body: "second")
        await changes.untilSeen("loaded second")

        #expect(Set(changes.texts) == ["loading", "loaded second"])
    }

    @Test func `is cancelled, and loads again`() async {
        loader.cancel()
        #expect(loader.state.text == "idle")
        loader.load(GetGreeting())
        let exchange = await server.nextExchange()
        loader.cancel()
        #expect(loader.state.text == "failed cancelled")
        await exchange.untilCancelled()
        loader.load(GetGreeting())
        await server.nextExchange().respond(body: "again")
        await changes.untilSeen("loaded again")
        loader.reset()
        #expect(loader.state.text == "idle")
    }

    @Test func `letting go of it cancels the send`() async {
        var loader = Optional(Loader<String>(Network(baseURL: api, transport: server)))
        loader?.load(GetGreeting())
        let exchange = await server.nextExchange()
        loader = nil
        await exchange.untilCancelled()
    }
}
