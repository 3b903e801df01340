import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// B16: credentials do not follow a redirect to another origin. Another port is another origin.
@Suite(.timeLimit(.minutes(3)))
struct RedirectCredentialTests {
    private let a: LoopbackServer
    private let b: LoopbackServer

    init() throws {
        a = try LoopbackServer()
        b = try LoopbackServer()
        a.handle { _ in .text("a") }
        b.handle { _ in .text("b") }
    }

    private var secrets: HTTPHeaders {
        var headers: HTTPHeaders = [.authorization: "Bearer secret", .cookie: "id=secret", "Accept": "text/plain"]
        headers.setSensitive("secret", for: "X-Key")
        return headers
    }

    /// The handler knows the other server's URL and not the server: two that hold each other would never stop.
    private func redirect(_ server: LoopbackServer, _ path: String, to url: URL, status: Int = 302) {
        server.handle("GET", path) { _ in .redirect(to: url.absoluteString, status: status) }
    }

    private func secretsReceived(by server: LoopbackServer) -> [[String]] {
        server.requests.map { request in
            ["Authorization", "Cookie", "X-Key"].filter { !request.values(of: $0).isEmpty }
        }
    }

    private func send(to target: String, actions: [any Action] = [], headers: HTTPHeaders) async throws -> String {
        let network = Network(actions: actions, transport: URLSessionTransport())
        let response = try await network.send(NetworkRequest(url: a.url(target), headers: headers))
        return String(decoding: response.body.data ?? Data(), as: UTF8.self)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `drops credentials on the way to another port`(status: Int) async throws {
        redirect(a, "/go", to: b.url("/end"), status: status)

        #expect(try await send(to: "/go", headers: secrets) == "b")
        #expect(secretsReceived(by: a) == [["Authorization", "Cookie", "X-Key"]])
        #expect(secretsReceived(by: b) == [[]])
        #expect(b.requests.first?.first(of: "Accept") == "text/plain")
    }

    @Test func `keeps credentials within the origin`() async throws {
        a.handle("GET", "/go") { _ in .redirect(to: "/end") }

        #expect(try await send(to: "/go", headers: secrets) == "a")
        let all = ["Authorization", "Cookie", "X-Key"]
        #expect(secretsReceived(by: a) == [all, all])
    }

    @Test func `what was dropped on the way stays dropped when it leads back`() async throws {
        redirect(a, "/go", to: b.url("/back"))
        redirect(b, "/back", to: a.url("/end"))

        #expect(try await send(to: "/go", headers: secrets) == "a")
        #expect(secretsReceived(by: a) == [["Authorization", "Cookie", "X-Key"], []])
        #expect(secretsReceived(by: b) == [[]])
    }

    @Test func `an action of the hop zone chooses a credential for each origin`() async throws {
        redirect(a, "/go", to: b.url("/end"))
        let tokens = [a.port: "token-a", b.port: "token-b"]
        let action = HookAction(
            zone: .hop,
            willBegin: { request in
                var request = request
                request.headers[.authorization] = request.url.port.flatMap { tokens[$0] }
                return .proceed(request)
            }
        )

        #expect(try await send(to: "/go", actions: [action], headers: [:]) == "b")
        #expect(a.requests.map { $0.first(of: "Authorization") } == ["token-a"])
        #expect(b.requests.map { $0.first(of: "Authorization") } == ["token-b"])
    }

    @Test(arguments: ["file:///etc/hostname", "ftp://127.0.0.1/a", "data:text/plain,a"])
    func `does not follow a redirect to another scheme`(location: String) async throws {
        a.handle("GET", "/go") { _ in .redirect(to: location) }
        let error = await #expect(throws: NetworkError.self) { try await send(to: "/go", headers: [:]) }

        #expect(error?.code == .redirectRefused)
    }
}
