import Foundation
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct SendIDTests {
    @Test func `sends are ordered by when they began`() async throws {
        let server = ConversationTransport()
        let network = Network(transport: server)
        let request = NetworkRequest(url: URL(string: "https://api.test/")!)

        async let first = network.send(request)
        let one = await server.nextExchange()
        async let second = network.send(request)
        let two = await server.nextExchange()
        two.respond()
        one.respond()
        _ = try await (first, second)

        let ids = (one.request.context.id, two.request.context.id)
        #expect(ids.0 < ids.1)
        #expect(!(ids.1 < ids.0))
        #expect(!(ids.0 < ids.0))
    }
}
