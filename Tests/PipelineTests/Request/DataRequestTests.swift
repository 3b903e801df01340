import Foundation
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct DataRequestTests {
    func network(_ body: String) -> Network {
        Network(baseURL: api, transport: ScriptedTransport([.status(200, body: body)]))
    }

    @Test func `reads every type that reads itself`() async throws {
        let ada = #"{"name":"Ada"}"#
        let user: User = try await network(ada).send(DataRequest(.get("x")))
        #expect(user == User(name: "Ada"))
        let optional: User? = try await network(ada).send(DataRequest(.get("x")))
        #expect(optional == user)
        #expect(try await network("[\(ada)]").send(DataRequest<[User]>(.get("x"))) == [user])
        #expect(try await network(ada).send(DataRequest<JSONValue>(.get("x"))) == ["name": "Ada"])
        #expect(try await network(ada).send(DataRequest<Data>(.get("x"))) == Data(ada.utf8))
        #expect(try await network(ada).send(DataRequest<Data?>(.get("x"))) == Data(ada.utf8))
        #expect(try await network("héllo").send(DataRequest<String>(.get("x"))) == "héllo")
        #expect(try await network("hi").send(DataRequest<String?>(.get("x"))) == "hi")
        try await network("ignored").send(DataRequest<Void>(.get("x")))
        #expect(try await network("raw").send(DataRequest<NetworkResponse>(.get("x"))).status == 200)
    }

    @Test func `B30: an empty body is nothing, empty, or an error of its own`() async throws {
        #expect(try await network("").send(DataRequest<User?>(.get("x"))) == nil)
        #expect(try await network("").send(DataRequest<Data>(.get("x"))) == Data())
        #expect(try await network("").send(DataRequest<Data?>(.get("x"))) == nil)
        #expect(try await network("").send(DataRequest<String>(.get("x"))) == "")
        #expect(try await network("").send(DataRequest<String?>(.get("x"))) == nil)
        let error = await #expect(throws: NetworkError.self) {
            try await network("").send(DataRequest<User>(.get("x")))
        }
        #expect(error?.code == .emptyBody)
    }

    @Test func `reads in a way of its own`() async throws {
        let request = DataRequest(NetworkRequest(url: api)) { response in
            try await response.body.collect().count + response.status.code
        }
        #expect(try await network("four").send(request) == 204)
    }

    /// A request with everything that can be handed on.
    struct Rich: Request {
        typealias Response = Data
        struct Mark: RequestWillBeginAction {
            func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
                var request = request
                request.headers["Type"] = "\(request.context.requestType)"
                return .proceed(request)
            }
        }
        var customProperties: CustomProperties { ["p": 1] }
        var actions: [any Action] { [Mark()] }
        func buildRequest(with baseURL: URL) throws -> NetworkRequest { NetworkRequest(url: baseURL) }
    }

    @Test func `stands for the request that it asks`() async throws {
        let (network, sent) = Network.recording()
        try await network.send(DataRequest<Void>(Rich()))
        #expect(sent.request?.customProperties["p"] as? Int == 1)
        #expect(sent.request?.headers["Type"]?.hasSuffix("Rich") == true)
    }
}
