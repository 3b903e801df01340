import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// What an upload makes of a request, without sockets.
@Suite(.timeLimit(.minutes(3)))
struct UploadTests {
    let server = ScriptedTransport { .init(status: 200, body: .bytes(Data("ok".utf8)), request: $0) }

    var network: Network { Network(baseURL: api, transport: server) }

    @Test(arguments: [
        ("photo.JPG", nil, nil, "image/jpeg"), ("notes.txt", nil, nil, "text/plain; charset=utf-8"),
        ("archive.tar.gz", nil, nil, "application/gzip"), ("data", nil, nil, "application/octet-stream"),
        (".json", nil, nil, "application/octet-stream"), ("a.unheard", nil, nil, "application/octet-stream"),
        ("photo.jpg", "image/x-own", nil, "image/x-own"), ("photo.jpg", nil, "image/x-mine", "image/x-mine"),
    ])
    func `has the type that the name of the file says`(name: String, told: String?, own: String?, type: String)
        async throws
    {
        let folder = try TemporaryFolder()
        let file = try folder.write(Data("abc".utf8), as: name)
        var request = Post()
        request.contentType = own
        _ = try await network.upload(request, from: file, contentType: told)

        let sent = try #require(server.requests.last)
        #expect(sent.headers["Content-Type"] == type)
        #expect(sent.body.file == file)
        #expect(sent.body.length == 3)
        #expect(sent.body.isReplayable)
    }

    @Test func `lifts the limits that long bodies run into, unless the request sets them`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Data("abc".utf8), as: "a")
        _ = try await network.upload(Post(), from: file)
        #expect(server.requests.last?.timeLimits.total == .unlimited)
        #expect(server.requests.last?.timeLimits.attempt == .unlimited)
        #expect(server.requests.last?.timeLimits.idle == TimeLimits.standard.idle)

        let limited = Post().configured { request in
            request.timeLimits.total = .seconds(700)
            request.timeLimits.attempt = .seconds(5)
        }
        _ = try await network.upload(limited, from: file)
        #expect(server.requests.last?.timeLimits.total == .seconds(700))
        #expect(server.requests.last?.timeLimits.attempt == .seconds(5))
    }

    enum Fault: CaseIterable, Sendable { case missing, folder, pipe, secret }

    @Test(arguments: Fault.allCases)
    func `what is no file that can be read fails before anything is sent`(fault: Fault) async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "a")
        switch fault {
        case .missing: break
        case .folder: try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        case .pipe: try #require(mkfifo(file.path, 0o600) == 0)
        case .secret:
            try Data("abc".utf8).write(to: file)
            try #require(chmod(file.path, 0) == 0)
            guard geteuid() != 0 else { return }  // Nothing is secret from the superuser.
        }
        let error = await #expect(throws: NetworkError.self) { try await network.upload(Post(), from: file) }

        #expect(error?.code == .fileFailed)
        #expect(error?.step == .build)
        #expect(error?.reach == .no)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [HTTPMethod.get, .head, .trace])
    func `a method that takes no body is refused`(method: HTTPMethod) async throws {
        let upload = Upload(Post().configured { $0.method = method }, body: .text("a"))
        let error = await #expect(throws: NetworkError.self) { try await network.send(upload) }

        #expect(error?.code == .invalidRequest)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: Face.allCases)
    func `goes through every face`(face: Face) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Data("abc".utf8), as: "a.txt")

        #expect(try await face.send(Upload(Post(), from: file), on: network).get() == "ok")
        #expect(server.requests.last?.body.file == file)
        #expect(server.requests.last?.context.requestType is Post.Type)
    }
}

/// POST /upload, answered with a text.
struct Post: Request {
    typealias Response = String
    var path = "upload"
    var contentType: String?

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        var request = NetworkRequest(method: .post, url: try baseURL.joining(path))
        if let contentType { request.headers[.contentType] = contentType }
        return request
    }
}
