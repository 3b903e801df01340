import Pipeline
import PipelineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct LoadStateTests {
    private let server = ConversationTransport()
    private var network: Network { Network(baseURL: api, transport: server) }

    @Test func `goes from idle over loading to loaded, and ends`() async {
        async let states = network.states(of: GetGreeting()).texts()
        await server.nextExchange().respond(body: "hello")

        #expect(await states == ["idle", "loading", "loaded hello"])
    }

    @Test func `goes from idle over loading to failed, and ends`() async {
        async let states = network.states(of: GetGreeting()).texts()
        await server.nextExchange().respond(status: 500)

        #expect(await states == ["idle", "loading", "failed unacceptable-status"])
    }

    @Test func `sends nothing before the second state, and anew for each iterator`() async {
        let states = network.states(of: GetGreeting())
        var first = states.makeAsyncIterator()
        #expect(await first.next()?.text == "idle")
        #expect(network.inFlight.isEmpty)
        var second = states.makeAsyncIterator()
        for expected in ["idle", "loading"] { #expect(await second.next()?.text == expected) }
        await server.nextExchange().respond(body: "2")
        #expect(await second.next()?.text == "loaded 2")
        #expect(await second.next() == nil)
        #expect(server.pendingExchanges == 0)
    }

    @Test func `ending the iteration early cancels the send`() async {
        var iterator = Optional(network.states(of: GetGreeting()).makeAsyncIterator())
        _ = await iterator?.next()
        _ = await iterator?.next()
        let exchange = await server.nextExchange()
        iterator = nil
        await exchange.untilCancelled()
    }

    @Test func `cancelling the reader is a state`() async {
        let states = network.states(of: GetGreeting())
        let reader = Task { await states.texts() }
        let exchange = await server.nextExchange()
        reader.cancel()
        await exchange.untilCancelled()

        #expect(await reader.value == ["idle", "loading", "failed cancelled"])
    }

    @Test(arguments: [
        (LoadState<Int>.idle, "idle", false, false), (.loading(nil), "loading", true, false),
        (.loading(TransferProgress(.download, completed: 1, total: 2)), "loading 1", true, false),
        (.loaded(7), "loaded 7", false, true), (.failed(NetworkError(.offline)), "failed offline", false, true),
    ])
    func `tells what it is`(state: LoadState<Int>, text: String, isLoading: Bool, isOver: Bool) {
        #expect(state.text == text)
        #expect(state.isLoading == isLoading)
        #expect(state.isOver == isOver)
        #expect(state.map(String.init).text == text)
    }

    @Test func `a value that cannot be mapped is a failure`() {
        struct Odd: Error {}
        let state = LoadState.loaded(7).map { _ -> Int in throw Odd() }

        #expect(state.error?.code == .decodingFailed)
        #expect(state.error?.underlying is Odd)
    }
}

extension LoadState {
    /// The state in a few words.
    var text: String {
        switch self {
        case .idle: "idle"
        case .loading(let progress): "loading" + (progress.map { " \($0.completed)" } ?? "")
        case .loaded(let value): "loaded \(value)"
        case .failed(let error): "failed \(error.code)"
        }
    }
}

extension LoadStates {
    fileprivate func texts() async -> [String] {
        var texts: [String] = []
        for await state in self { texts.append(state.text) }
        return texts
    }
}
