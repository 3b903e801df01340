import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct DefaultHeadersActionTests {
    @Test func `adds what is missing and leaves what is there`() async throws {
        let server = ScriptedTransport([.status(200)])
        let network = Network(
            actions: [DefaultHeadersAction(["Accept": "application/json", "X-Version": 3, "User-Agent": "Mail/2"])],
            transport: server
        )
        _ = try await network.send(
            NetworkRequest(url: URL(string: "https://api.test")!, headers: ["accept": "text/plain"])
        )

        let headers = try #require(server.requests.first?.headers)
        #expect(headers.map(\.name.spelling) == ["accept", "X-Version", "User-Agent"])
        #expect(headers.map(\.value) == ["text/plain", "3", "Mail/2"])
    }

    @Test(arguments: [ActionZone.send, .hop])
    func `a secret among the defaults does not follow a redirect to another origin`(zone: ActionZone) async throws {
        let server = ScriptedTransport([.redirect(to: "https://other.test/"), .status(200)])
        let action = DefaultHeadersAction(["X-Plain": 1], zone: zone) { _ in [.authorization: "Bearer x"] }
        let network = Network(actions: [action], transport: server)
        _ = try await network.send(NetworkRequest(url: URL(string: "https://api.test")!))

        #expect(server.requests.map { $0.headers.contains(.authorization) } == [true, false])
        #expect(server.requests.map { $0.headers["X-Plain"] } == ["1", "1"])
    }

    /// A request to another origin from the start, and what comes back from there.
    @Test(arguments: [ActionZone.send, .hop])
    func `a secret among the defaults belongs to the base URL, or to the origins that it names`(
        zone: ActionZone
    ) async throws {
        let server = ScriptedTransport { request in
            let headers: HTTPHeaders = request.url.path == "/back" ? [.location: "https://api.test/home"] : [:]
            return NetworkResponse(status: headers.isEmpty ? 200 : 302, headers: headers, request: request)
        }
        let action = DefaultHeadersAction(["X-Plain": 1], zone: zone) { _ in
            var headers: HTTPHeaders = [.authorization: "Bearer x"]
            headers.setSensitive("k", for: "X-Key", origins: [Origin("https://files.test")!])
            return headers
        }
        let network = Network(baseURL: URL(string: "https://api.test")!, actions: [action], transport: server)
        for url in ["https://api.test/a", "https://files.test/a", "https://other.test/a", "https://other.test/back"] {
            _ = try await network.send(NetworkRequest(url: URL(string: url)!))
        }

        let carried = server.requests.map { request in
            let names: [HTTPFieldName] = [.authorization, "X-Key", "X-Plain"]
            let carried = names.filter(request.headers.contains).map(\.spelling)
            return "\(request.url.host ?? "") \(carried.joined(separator: " "))"
        }
        #expect(
            carried == [
                "api.test Authorization X-Plain", "files.test X-Key X-Plain", "other.test X-Plain",
                "other.test X-Plain", "api.test X-Plain",
            ]
        )
    }

    @Test func `works fields out for each request, which has the last word`() async throws {
        let server = ScriptedTransport { NetworkResponse(status: 200, request: $0) }
        let action = DefaultHeadersAction(["X-Kind": "any", "X-Same": 1]) { request in
            ["X-Kind": request.method, "X-Own": "computed", "X-Many": "a"]
        }
        let network = Network(actions: [action], transport: server)
        let request = NetworkRequest(method: .put, url: URL(string: "https://api.test")!, headers: ["x-own": "mine"])
        _ = try await network.send(request)

        let headers = try #require(server.requests.first?.headers)
        #expect(headers.map(\.name.spelling) == ["x-own", "X-Kind", "X-Many", "X-Same"])
        #expect(headers.map(\.value) == ["mine", "PUT", "a", "1"])
    }

    @Test func `a field with several values is added whole`() async throws {
        let server = ScriptedTransport([.status(200)])
        var defaults = HTTPHeaders()
        defaults.append(name: "Accept-Language", value: "de")
        defaults.append(name: "Accept-Language", value: "en")
        _ = try await Network(actions: [.defaultHeaders(defaults)], transport: server)
            .send(NetworkRequest(url: URL(string: "https://api.test")!))

        #expect(server.requests.first?.headers.values(of: .acceptLanguage) == ["de", "en"])
    }

    @Test(arguments: [(ActionZone.send, 1), (.hop, 3)])
    func `works them out once, or for each hop and attempt`(zone: ActionZone, count: Int) async throws {
        let log = EventLog()
        let server = ScriptedTransport([.redirect(to: "/next"), .status(503), .status(200)])
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        let action = DefaultHeadersAction(zone: zone) { _ in
            log.append("computed")
            return ["X-Number": log.lines.count]
        }
        let network = Network(actions: [RetryAction(policy), action], transport: server)
        _ = try await network.send(NetworkRequest(url: URL(string: "https://api.test")!))

        #expect(log.lines.count == count)
        #expect(server.requests.last?.headers["X-Number"] == "\(count)")
    }

    @Test func `what cannot be worked out ends the send`() async throws {
        struct NoSettings: Error {}
        let network = Network(
            actions: [DefaultHeadersAction { _ in throw NoSettings() }],
            transport: ScriptedTransport([])
        )
        let error = await #expect(throws: NetworkError.self) {
            try await network.send(NetworkRequest(url: URL(string: "https://api.test")!))
        }
        #expect(error?.code == .actionFailed)
        #expect(error?.step == .action("DefaultHeadersAction"))
        #expect(error?.underlying is NoSettings)
    }

    @Test func `keeps the rules of actions`() async {
        #expect(await ActionConformance.violations { DefaultHeadersAction { _ in ["X-A": 1] } } == [])
    }
}
