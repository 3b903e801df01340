import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// Uploads and progress through real connections.
@Suite(.timeLimit(.minutes(3)))
struct UploadOverSocketsTests {
    static let size = 4 << 20
    /// Bytes in which lost and swapped pieces show.
    private static let sample = Array(0..<UInt32(size / 4)).withUnsafeBytes { Data($0) }

    let server: LoopbackServer
    let folder: TemporaryFolder
    let content = Self.sample

    init() throws {
        server = try LoopbackServer()
        folder = try TemporaryFolder()
    }

    private func network(_ kind: SocketTransport, _ actions: [any Action] = []) -> Network {
        Network(baseURL: server.url("/"), actions: actions, transport: kind.make())
    }

    @Test(arguments: SocketTransport.allCases)
    func `a file goes to a slow server whole, and is told about meanwhile`(kind: SocketTransport) async throws {
        let gate = LoopbackGate()
        server.handleHead("POST", "/upload") { _ in .readBody(after: [.wait(gate)]) }
        server.handle("POST", "/upload") { _ in .text("ok") }
        let file = try folder.write(content, as: "a.bin")
        let told = Telling { if $0.direction == .upload { gate.open() } }

        #expect(try await network(kind).upload(Post(), from: file, onProgress: told.note) == "ok")

        let request = try #require(server.requests.last)
        #expect(request.body == content)
        #expect(request.values(of: "Content-Length") == ["\(Self.size)"])
        #expect(!request.isChunked)
        let uploaded = told.all.filter { $0.direction == .upload }
        #expect(uploaded.map(\.completed) == uploaded.map(\.completed).sorted())
        #expect(uploaded.allSatisfy { $0.total == Self.size })
        #expect(uploaded.last?.completed == Self.size)
        #expect(told.all.last == TransferProgress(.download, completed: 2, total: 2))
    }

    @Test(arguments: SocketTransport.allCases)
    func `a download from a slow server is told about meanwhile`(kind: SocketTransport) async throws {
        let gate = LoopbackGate()
        let half = content.prefix(Self.size / 2)
        server.handle("GET", "/") { _ in
            [.head(200, headers: ["Content-Length": "\(Self.size)"]), .bytes(half), .wait(gate), .bytes(half)]
        }
        let told = Telling { _ in gate.open() }
        let response = try await network(kind).value(of: NetworkRequest(url: server.url("/")), onProgress: told.note)

        #expect(response.body.data == half + half)
        #expect(told.all.map(\.completed) == told.all.map(\.completed).sorted())
        #expect(told.all.allSatisfy { $0.direction == .download && $0.total == Self.size })
        #expect(told.all.last?.completed == Self.size)
    }

    /// Over `URLSession` on Linux no test has a server break off while a file is read: Foundation then ends the process, if it
    /// waits for the disk just at that moment.
    @Test func `progress never falls when a server breaks off and is tried again`() async throws {
        let breaking = LoopbackGate(opensAfter: 1)
        server.handleHead("PUT", "/upload") { [breaking] _ in
            breaking.arrivals == 0 ? .reply([.wait(breaking), .reset]) : .readBody
        }
        server.handle("PUT", "/upload") { _ in .text("ok") }
        let retrying = HookAction.retrying(zone: .hop) { outcome, _ in outcome.status == nil }
        let file = try folder.write(content, as: "a.bin")
        let told = Telling()
        let put = Post().configured { $0.method = .put }

        #expect(try await network(.standard, [retrying]).upload(put, from: file, onProgress: told.note) == "ok")
        #expect(server.requests.filter { !$0.hasUnreadBody }.map(\.body) == [content])
        let uploaded = told.all.filter { $0.direction == .upload }.map(\.completed)
        #expect(uploaded == uploaded.sorted())
        #expect(Set(uploaded).count == uploaded.count)
        #expect(uploaded.last == Self.size)
    }

    @Test func `a POST that a used connection dies under is not sent again`() async throws {
        server.handle("GET", "/") { _ in .text("hello") }
        server.handle("POST", "/upload") { _ in [.close] }
        let network = network(.standard)
        _ = try await network.send(NetworkRequest(url: server.url("/")))
        let file = try folder.write(content, as: "a.bin")
        let error = await #expect(throws: NetworkError.self) { try await network.upload(Post(), from: file) }

        #expect(error?.code == .connectionLost)
        #expect(error?.reach == .maybe)
        #expect(server.requests.count { $0.method == "POST" } == 1)
    }

    @Test(arguments: SocketTransport.allCases)
    func `a device and a pipe are refused before anything is sent, and nobody waits for them`(kind: SocketTransport)
        async throws
    {
        server.handle { _ in .text("ok") }
        let pipe = folder.file("pipe")
        try #require(mkfifo(pipe.path, 0o600) == 0)
        for place in [URL(fileURLWithPath: "/dev/null"), pipe] {
            let request = NetworkRequest(method: .post, url: server.url("/"), body: .file(place))
            let error = try #require(await network(kind).result(of: request).error)
            #expect(error.code == .fileFailed)
            #expect(error.reach == .no)
        }
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: SocketTransport.allCases)
    func `a form with a file arrives with its length`(kind: SocketTransport) async throws {
        server.handle { _ in .text("ok") }
        let file = try folder.write(content, as: "a.bin")
        let link = folder.url.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        let form = Multipart.formData([.field("title", "Holiday"), .file("photo", at: link)])
        let told = Telling()

        #expect(try await network(kind).upload(Post(), multipart: form, onProgress: told.note) == "ok")
        let request = try #require(server.requests.last)
        let length = try #require(RequestBody.multipart(form).length)
        #expect(request.values(of: "Content-Length") == ["\(length)"])
        #expect(request.body.count == length)
        #expect(request.body.range(of: content) != nil)
        #expect(told.all.last { $0.direction == .upload }?.completed == length)
    }

    enum Change: String, CaseIterable, Sendable {
        case shorter, longer, different

        func make(of file: URL) throws {
            let handle = try FileHandle(forUpdating: file)
            switch self {
            case .shorter: try handle.truncate(atOffset: 1000)
            case .longer:
                try handle.seekToEnd()
                try handle.write(contentsOf: Data("more".utf8))
            case .different: try handle.write(contentsOf: Data("new".utf8))
            }
            try handle.close()
        }
    }

    @Test(
        arguments: SocketTransport.allCases.flatMap { kind in Change.allCases.map { (kind, $0) } }
            .filter { $0 != .urlSession || $1 != .shorter }
    )
    func `a file that changes while it is sent fails`(
        kind: SocketTransport,
        change: Change
    ) async throws {
        let file = try folder.write(Data(count: 16 << 20), as: "a.bin")
        let error = await failure(of: Upload(Post(), from: file), over: kind) { try change.make(of: file) }

        #expect(error?.code == .fileFailed)
        #expect(error?.explanation == "the file of the request body, a.bin, became \(change) while it was sent")
        #expect(error?.reach == .maybe)
        // A session reads the file itself, up to its old length, and then it is too late.
        #expect(server.requests.count == (kind == .urlSession ? 1 : 0))
    }

    /// `URLSession` is given a copy of all parts, so there it does not matter.
    @Test(arguments: Change.allCases)
    func `a file that changes while it is sent as a part fails, and its request is never whole`(
        change: Change
    ) async throws {
        let file = try folder.write(Data(count: 16 << 20), as: "a.bin")
        let upload = Upload(Post(), body: .multipart([.field("a", 1), .file("photo", at: file)]))
        let error = await failure(of: upload, over: .standard) { try change.make(of: file) }

        #expect(error?.code == .fileFailed)
        #expect(error?.explanation == "the file of the request body, a.bin, became \(change) while it was sent")
        #expect(server.requests.isEmpty)
    }

    /// Sends to a server that reads nothing until something was sent and the change was made.
    private func failure(
        of request: some Request,
        over kind: SocketTransport,
        change: @escaping @Sendable () throws -> Void
    ) async -> NetworkError? {
        let gate = LoopbackGate()
        server.handleHead("POST", "/upload") { _ in .readBody(after: [.wait(gate)]) }
        server.handle("POST", "/upload") { _ in .text("ok") }
        return await #expect(throws: NetworkError.self) {
            try await network(kind).value(of: request) { _ in
                guard !gate.isOpen else { return }
                #expect(throws: Never.self) { try change() }
                gate.open()
            }
        }
    }
}
