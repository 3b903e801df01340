import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// From the typed request to the network request.
@Suite(.timeLimit(.minutes(3)))
struct BuildTests {
    func sent(_ request: some Request, configuration: NetworkConfiguration = .init()) async throws -> NetworkRequest {
        let server = ScriptedTransport([.status(200)])
        _ = await Network(baseURL: api, transport: server, configuration: configuration).result(of: request)
        return try #require(server.requests.first)
    }

    @Test func `a request can be its own body`() async throws {
        struct SaveUser: Request, Encodable {
            typealias Response = Void
            let name: String

            func buildRequest(with baseURL: URL) throws -> NetworkRequest {
                NetworkRequest(method: .put, url: try baseURL.joining("users"), body: self)
            }
        }
        let request = try await sent(SaveUser(name: "Ada"))

        #expect(request.body.data == Data(#"{"name":"Ada"}"#.utf8))
        #expect(request.headers[.contentType] == "application/json")
        #expect(request.method == .put)
    }

    @Test func `data and absent values are bodies as one expects`() async throws {
        let data = try await sent(NetworkRequest(method: .put, url: api, body: Data("raw".utf8)))
        #expect(data.body.data == Data("raw".utf8))
        #expect(data.headers[.contentType] == "application/octet-stream")

        let absent: User? = nil
        let none = try await sent(NetworkRequest(method: .put, url: api, body: absent))
        #expect(none.body.isEmpty)
        #expect(!none.headers.contains(.contentType))

        let present: User? = User(name: "Ada")
        #expect(try await sent(NetworkRequest(url: api, body: present)).body.data == Data(#"{"name":"Ada"}"#.utf8))
    }

    @Test func `a type that is set stays, and encoders can be chosen`() async throws {
        var request = NetworkRequest(
            method: .put,
            url: api,
            headers: [.contentType: "application/vnd.x+json"],
            body: User(name: "A")
        )
        #expect(try await sent(request).headers[.contentType] == "application/vnd.x+json")

        request.headers.remove(.contentType)
        request.encoder = PropertyListBodyEncoder()
        #expect(try await sent(request).headers[.contentType] == "application/x-plist")

        var configuration = NetworkConfiguration()
        configuration.encoder = PropertyListBodyEncoder(format: .binary)
        request.encoder = nil
        #expect(
            try await sent(request, configuration: configuration).headers[.contentType]
                == "application/x-apple-binary-plist"
        )
    }

    @Test func `a value that cannot be encoded is an error before anything is sent`() async throws {
        let server = ScriptedTransport([])
        let result = await Network(transport: server).result(of: NetworkRequest(url: api, body: Double.infinity))

        #expect(result.code == .encodingFailed)
        #expect(server.requests.isEmpty)
    }

    @Test func `without a base URL only requests that bring their own can be sent`() async throws {
        let network = Network(transport: ScriptedTransport { .init(status: 200, request: $0) })

        #expect(await network.result(of: NetworkRequest(url: api)).code == nil)
        #expect(await network.result(of: GetGreeting()).code == .invalidRequest)
    }

    @Test func `the base URL can be computed, and may throw`() async throws {
        let server = ScriptedTransport { .init(status: 200, request: $0) }
        _ = await Network(computedBaseURL: { api }, transport: server).result(of: GetGreeting())
        #expect(server.requests.map(\.url.host) == ["api.test"])

        let failing = Network(computedBaseURL: { throw Refused() }, transport: server)
        guard case .failure(let error) = await failing.result(of: GetGreeting()) else { Issue.record(); return }
        #expect(error.code == .invalidRequest)
        #expect(error.step == .build)
        #expect(error.underlying is Refused)
    }

    static let bad: [(String, @Sendable (inout NetworkRequest) -> Void)] = [
        ("line break in a value", { $0.headers["X-A"] = "a\r\nX-Evil: 1" }),
        ("NUL in a value", { $0.headers["X-A"] = "a\0b" }),
        ("space before a value", { $0.headers["X-A"] = " a" }),
        ("space in a name", { $0.headers["A B"] = "a" }),
        ("empty name", { $0.headers[""] = "a" }),
        ("line break in the method", { $0.method = "GET\r\nX" }),
        ("empty method", { $0.method = "" }),
        ("length by hand", { $0.headers["content-length"] = "3" }),
        ("framing by hand", { $0.headers["Transfer-Encoding"] = "chunked" }),
        ("connection by hand", { $0.headers["Connection"] = "close" }),
        ("another scheme", { $0.url = URL(string: "file:///etc/passwd")! }),
        ("no host", { $0.url = URL(string: "https:///path")! }),
        ("relative", { $0.url = URL(string: "path")! }),
    ]

    @Test(arguments: bad.indices)
    func `refuses what must not be sent`(index: Int) async throws {
        let server = ScriptedTransport([])
        let result = await Network(baseURL: api, transport: server).result(
            of: GetGreeting(customize: Self.bad[index].1)
        )

        guard case .failure(let error) = result else { Issue.record("it was sent: \(Self.bad[index].0)"); return }
        #expect(error.code == .invalidRequest, "\(Self.bad[index].0)")
        #expect(error.reach == .no)
        #expect(server.requests.isEmpty)
    }

    @Test func `what an action puts in is checked too`() async throws {
        let evil = HookAction(
            zone: .hop,
            willBegin: { request in
                var request = request
                request.headers["X-A"] = "a\r\nb"
                return .proceed(request)
            }
        )
        let server = ScriptedTransport([])
        let result = await Network(baseURL: api, actions: [evil], transport: server).result(of: GetGreeting())

        #expect(result.code == .invalidRequest)
        #expect(server.requests.isEmpty)
    }

    // MARK: Custom properties

    enum RequiresAuthentication: CustomPropertyKey {
        static let name = "requiresAuthentication"
        static let defaultValue = true
    }

    struct KeyedAction: RequestBeganAction {
        var customPropertyKeys: [any CustomPropertyKey.Type] { [RequiresAuthentication.self] }
        func requestBegan(_ request: NetworkRequest) {}
    }

    @Test func `a typed key and its name see the same storage`() {
        var properties: CustomProperties = ["requiresAuthentication": false, "retries": 3]
        #expect(properties[RequiresAuthentication.self] == false)
        properties[RequiresAuthentication.self] = true
        #expect(properties["requiresAuthentication"] as? Bool == true)
        properties["requiresAuthentication"] = nil
        #expect(properties[RequiresAuthentication.self] == true)
        #expect(properties["retries"] as? Int == 3)
    }

    @Test func `a value of the wrong type is an error at build, where an action reads the key`() async throws {
        let network = Network(baseURL: api, actions: [KeyedAction()], transport: ScriptedTransport([]))
        let result = await network.result(of: GetGreeting { $0.customProperties = ["requiresAuthentication": "no"] })

        guard case .failure(let error) = result else { Issue.record("it was sent"); return }
        #expect(error.code == .invalidRequest)
        #expect(error.step == .build)
        #expect(
            error.explanation
                == "the custom property \"requiresAuthentication\" holds a String, but RequiresAuthentication takes a Bool"
        )
    }

    @Test func `properties of the request win over those its build sets`() async throws {
        struct Marked: Request {
            typealias Response = Void
            var customProperties: CustomProperties { ["a": 1] }

            func buildRequest(with baseURL: URL) -> NetworkRequest {
                NetworkRequest(url: baseURL, customProperties: ["a": 0, "b": 0])
            }
        }
        let properties = try await sent(Marked()).customProperties

        #expect(properties["a"] as? Int == 1)
        #expect(properties["b"] as? Int == 0)
    }

    // MARK: Where the request comes from

    @Test func `the context knows the network's base URL, and the request its own`() async throws {
        struct Elsewhere: Request {
            typealias Response = Void

            func buildRequest(with baseURL: URL) -> NetworkRequest {
                var request = NetworkRequest(url: URL(string: "https://elsewhere.test/a")!)
                request.baseURL = URL(string: "https://elsewhere.test")
                return request
            }
        }
        let plain = try await sent(GetGreeting())
        #expect(plain.context.baseURL == api)
        #expect(plain.baseURL == nil)

        let elsewhere = try await sent(Elsewhere())
        #expect(elsewhere.context.baseURL == api)
        #expect(elsewhere.baseURL == URL(string: "https://elsewhere.test"))

        let server = ScriptedTransport([.status(200)])
        _ = try await Network(transport: server).send(NetworkRequest(url: api))
        #expect(server.requests.first?.context.baseURL == nil)
    }

    @Test func `the context knows the type of the request, through those that wrap it`() async throws {
        let configured = GetGreeting().configured { $0.tag = "a" }.configured { $0.tag = "b" }

        func type(of request: some Request) async throws -> String {
            String(describing: try await sent(request).context.requestType)
        }
        #expect(try await type(of: GetGreeting()) == "GetGreeting")
        #expect(try await type(of: configured) == "GetGreeting")
        #expect(try await type(of: NetworkRequest(url: api)) == "NetworkRequest")
        #expect(String(describing: SendContext.detached.requestType) == "NetworkRequest")
    }

    // MARK: The context's store (F16)

    private enum Counter: ContextKey { static let defaultValue = 0 }

    @Test func `the store lasts for the send and no longer`() async throws {
        let seen = EventLog()
        let counting = HookAction(completed: { outcome, request in
            let before = request.context.store.exchange(Counter.self, for: request.context.store[Counter.self] + 1)
            seen.append("\(before)")
            return before < 2 ? .retry(after: .zero) : .deliver(try outcome.get())
        })
        let network = Network(
            baseURL: api,
            actions: [counting],
            transport: ScriptedTransport { .init(status: 200, request: $0) }
        )
        for _ in 0..<2 { _ = await network.result(of: GetGreeting()) }

        #expect(seen.lines == ["0", "1", "2", "0", "1", "2"])
        SendContext.detached.store[Counter.self] = 7
        #expect(SendContext.detached.store[Counter.self] == 0)
    }
}
