import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// B28: nothing in a request can make two of it. What could is refused, and not a byte is sent.
@Suite(.timeLimit(.minutes(3)))
struct InjectionTests {
    private func expectNothingSent(_ change: @Sendable (inout NetworkRequest) -> Void) async throws {
        let server = try LoopbackServer()
        server.handle { _ in .text("ok") }
        var request = NetworkRequest(url: server.url("/"))
        change(&request)
        // Through an action as well: the check comes after all of them.
        let late = HookAction(
            zone: .hop,
            willBegin: { [request] old in
                var new = old
                new.headers = request.headers
                new.method = request.method
                return .proceed(new)
            }
        )
        for (sent, actions) in [(request, []), (NetworkRequest(url: server.url("/")), [late])]
            as [(NetworkRequest, [any Action])]
        {
            let network = Network(actions: actions, transport: URLSessionTransport())
            let error = await #expect(throws: NetworkError.self) { try await network.send(sent) }
            #expect(error?.code == .invalidRequest)
            #expect(error?.reach == .no)
        }
        // And past the engine.
        let error = await #expect(throws: NetworkError.self) { try await URLSessionTransport().send(request) }
        #expect(error?.code == .invalidRequest)
        #expect(server.connections.isEmpty)
    }

    @Test(arguments: ["a\r\nX-Evil: 1", "a\nX-Evil: 1", "a\rb", "a\0b", " a", "a ", "\ta", "a\u{7F}"])
    func `refuses the header value`(value: String) async throws {
        try await expectNothingSent { $0.headers["X-A"] = value }
    }

    @Test(arguments: ["A B", "A:B", "A\r\nX-Evil", "", "Ä", "A\0", "(A)"])
    func `refuses the header name`(name: String) async throws {
        try await expectNothingSent { $0.headers.append(name: HTTPFieldName(name), value: "1") }
    }

    @Test(arguments: ["Content-Length", "Transfer-Encoding", "Connection", "Upgrade", "TE", "Trailer"])
    func `refuses the field that is the transport's`(name: String) async throws {
        try await expectNothingSent { $0.headers.append(name: HTTPFieldName(name), value: "1") }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nX-Evil: 1\r\n\r\nGET", "G ET", "", "GET\0", "GÉT", "GE\nT"])
    func `refuses the method`(method: String) async throws {
        try await expectNothingSent { $0.method = HTTPMethod(rawValue: method) }
    }

    @Test(arguments: ["file:///etc/hostname", "ftp://127.0.0.1/", "http:///path", "/path", "mailto:a@b", "data:,a"])
    func `refuses the URL`(address: String) async throws {
        let network = Network(transport: URLSessionTransport())
        let url = try #require(URL(string: address))
        let error = await #expect(throws: NetworkError.self) { try await network.send(NetworkRequest(url: url)) }

        #expect(error?.code == .invalidRequest)
        #expect(error?.reach == .no)
    }

    @Test(arguments: ["/a\r\nX-Evil: 1", "/a b", "/\u{0}"])
    func `what is no URL does not break the request line`(path: String) async throws {
        let server = try LoopbackServer()
        server.handle { _ in .text("ok") }
        // Foundation escapes such characters or refuses the text; either way the line stays one.
        guard let url = URL(string: server.url.absoluteString + path) else { return }
        _ = await Network(transport: URLSessionTransport()).result(of: NetworkRequest(url: url))

        #expect(server.requests.allSatisfy { $0.values(of: "X-Evil").isEmpty })
        #expect(server.connections.allSatisfy { if case .malformedRequest = $0.ending { false } else { true } })
    }
}
