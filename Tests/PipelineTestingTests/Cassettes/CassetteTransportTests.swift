import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct CassetteTransportTests {
    private let folder: TemporaryFolder
    private let live = StubTransport([.otherwise.respond(.json(["id": 1, "title": "Milk"]))])

    init() throws { folder = try TemporaryFolder() }

    @Test func `records once and plays from then on`() async throws {
        let file = folder.file("a.json")
        for isFirst in [true, false] {
            let transport = try CassetteTransport(file, around: live)
            #expect(transport.isRecording == isFirst)
            #expect(try await Network(baseURL: api, transport: transport).send(GetTodo(id: 1)).title == "Milk")
            try transport.finish()
        }
        #expect(live.received.count == 1)
    }

    @Test func `in strict order the end makes sure that all was played`() async throws {
        let file = folder.file("a.json")
        try Cassette([.init(request: .init(method: "GET", url: "https://api.test/a"))]).write(to: file)
        let strict = try CassetteTransport(file, around: live)
        #expect(throws: CassetteLeftover.self) { try strict.finish() }
        let lenient = try CassetteTransport(file, around: live, matching: .lenient)
        try lenient.finish()
    }

    @Test func `a file that is no cassette is left alone`() throws {
        let file = folder.file("a.json")
        try Data("mine".utf8).write(to: file)
        let error = #expect(throws: NetworkError.self) { try CassetteTransport(file, around: live) }
        #expect(error?.code == .fileFailed)
        #expect(try Data(contentsOf: file) == Data("mine".utf8))
    }

    @Test func `what it can do and its shutdown are those of the transport in use`() async throws {
        let transport = try CassetteTransport(folder.file("a.json"), around: live)
        #expect(transport.capabilities == live.capabilities)
        await transport.shutdown()
        let error = await #expect(throws: NetworkError.self) { try await live.send(NetworkRequest(url: api)) }
        #expect(error?.code == .transportUnavailable)
    }
}
