import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// What answers are read as. B30: an empty success is not a decoding failure. F14: decode errors say where and what.
@Suite(.timeLimit(.minutes(3)))
struct DecodingTests {

    struct AskUser: Request {
        typealias Response = User
        var method = HTTPMethod.get
        func buildRequest(with baseURL: URL) -> NetworkRequest { NetworkRequest(method: method, url: baseURL) }
    }

    struct AskOptional: Request {
        typealias Response = User?
        func buildRequest(with baseURL: URL) -> NetworkRequest { NetworkRequest(url: baseURL) }
    }

    struct AskList: Request {
        typealias Response = [User]
        func buildRequest(with baseURL: URL) -> NetworkRequest { NetworkRequest(url: baseURL) }
    }

    struct AskData: Request {
        typealias Response = Data
        func buildRequest(with baseURL: URL) -> NetworkRequest { NetworkRequest(url: baseURL) }
    }

    struct AskOptionalData: Request {
        typealias Response = Data?
        func buildRequest(with baseURL: URL) -> NetworkRequest { NetworkRequest(url: baseURL) }
    }

    struct AskText: Request {
        typealias Response = String
        func buildRequest(with baseURL: URL) -> NetworkRequest { NetworkRequest(url: baseURL) }
    }

    struct AskOptionalText: Request {
        typealias Response = String?
        func buildRequest(with baseURL: URL) -> NetworkRequest { NetworkRequest(url: baseURL) }
    }

    struct AskNothing: Request {
        typealias Response = Void
        func buildRequest(with baseURL: URL) -> NetworkRequest { NetworkRequest(url: baseURL) }
    }

    func network(_ answers: ScriptedTransport.Answer...) -> Network {
        Network(baseURL: api, transport: ScriptedTransport(answers))
    }

    static let ada = #"{"name":"Ada"}"#

    @Test func `reads every type that reads itself`() async throws {
        #expect(try await network(.json(Self.ada)).send(AskUser()) == User(name: "Ada"))
        #expect(try await network(.json(Self.ada)).send(AskOptional()) == User(name: "Ada"))
        #expect(try await network(.json("[\(Self.ada)]")).send(AskList()) == [User(name: "Ada")])
        #expect(try await network(.json(Self.ada)).send(AskData()) == Data(Self.ada.utf8))
        #expect(try await network(.json(Self.ada)).send(AskOptionalData()) == Data(Self.ada.utf8))
        #expect(try await network(.status(200, body: "héllo")).send(AskText()) == "héllo")
        #expect(try await network(.status(200, body: "hi")).send(AskOptionalText()) == "hi")
        try await network(.status(200, body: "ignored")).send(AskNothing())
        #expect(
            try await network(.status(200, body: "raw")).send(NetworkRequest(url: api)).body.data == Data("raw".utf8)
        )
    }

    @Test(arguments: [200, 201, 202, 204, 205] as [HTTPStatus])
    func `an empty body is nothing, empty, or an error of its own`(status: HTTPStatus) async throws {
        #expect(try await network(.status(status)).send(AskOptional()) == nil)
        #expect(try await network(.status(status)).send(AskData()) == Data())
        #expect(try await network(.status(status)).send(AskOptionalData()) == nil)
        #expect(try await network(.status(status)).send(AskText()) == "")
        #expect(try await network(.status(status)).send(AskOptionalText()) == nil)
        try await network(.status(status)).send(AskNothing())
        for result in [
            await network(.status(status)).result(of: AskUser()).map { _ in () },
            await network(.status(status)).result(of: AskList()).map { _ in () },
        ] {
            guard case .failure(let error) = result else { Issue.record("it succeeded"); continue }
            #expect(error.code == .emptyBody)
            #expect(error.step == .decode)
            #expect(error.statusCode == status.code)
        }
    }

    @Test(arguments: [(HTTPMethod.head, 200), (.get, 204), (.get, 205)] as [(HTTPMethod, HTTPStatus)])
    func `what has no body by definition is not decoded, whatever it carries`(
        method: HTTPMethod,
        status: HTTPStatus
    ) async throws {
        let result = await network(.status(status, body: "junk")).result(of: AskUser(method: method))

        #expect(result.code == .emptyBody)
    }

    @Test func `an error says where, what was expected and how the body begins, without its secrets`() async throws {
        let body = #"[{"name":"Ada"},{"name":7,"password":"hunter2","token": "abc","x":"y"}]"#
        let error = await #expect(throws: NetworkError.self) {
            try await network(.json(body)).send(AskList())
        }

        #expect(error?.code == .decodingFailed)
        #expect(error?.payloadData == Data(body.utf8))
        #expect(error?.underlying is DecodingError)
        #expect(
            error?.description == """
                decoding-failed in decode for GET https://api.test: status 200, the body is not a Array<User>, \
                not a String at [1].name; it begins [{"name":"Ada"},{"name":7,"password":<redacted>,\
                "token": <redacted>,"x":"y"}] (DecodingError)
                """
        )
    }

    @Test(arguments: [
        (#"{"visible":1,"password":["canary"]}"#), (#"{"visible":1,"tokens":{"a":"canary","b":["canary"]}}"#),
        (#"{"visible":1,"a":"{\"secret\":\"canary \\\" canary\"}"}"#),
        (#"{"visible":1,"a":"https://ada:canary@api.test/"}"#),
        (#"{"visible":1,"client_assertion":"canary"}"#), "<visible><password>canary</password></visible>",
        "<visible><s:Token value=\"canary\"><a>canary</a></s:Token></visible>", "visible=1&session=canary",
    ])
    func `no secret of a body shows in an error, whatever the body is`(body: String) async throws {
        let error = await #expect(throws: NetworkError.self) { try await network(.json(body)).send(AskUser()) }

        #expect(error?.code == .decodingFailed)
        #expect(error?.description.contains("visible") == true)
        #expect(error?.description.contains("canary") == false)
    }

    @Test func `a long body is cut short in the text and whole in the error`() async throws {
        let body = String(repeating: "x", count: 100_000)
        let error = await #expect(throws: NetworkError.self) { try await network(.json(body)).send(AskUser()) }

        #expect(error?.payloadData?.count == 100_000)
        #expect((error?.description.count ?? .max) < 500)
    }

    @Test func `a decode error is not retried`() async throws {
        let server = ScriptedTransport([.json("junk"), .json(Self.ada)])
        let network = Network(
            baseURL: api,
            actions: [HookAction.retrying { $0.status != 200 || $1.pass > 9 }],
            transport: server
        )

        #expect(await network.result(of: AskUser()).code == .decodingFailed)
        #expect(server.requests.count == 1)
    }

    @Test func `reads text in the charset it comes in`() async throws {
        let server = ScriptedTransport { request in
            NetworkResponse(
                status: 200,
                headers: [.contentType: "text/plain; charset=\"ISO-8859-1\""],
                body: .bytes(Data([0x63, 0x61, 0x66, 0xE9])),
                request: request
            )
        }
        #expect(try await Network(baseURL: api, transport: server).send(AskText()) == "café")
        let invalid = ScriptedTransport {
            NetworkResponse(status: 200, body: .bytes(Data([0xFF, 0xFE, 0xFD])), request: $0)
        }
        #expect(await Network(baseURL: api, transport: invalid).result(of: AskText()).code == .decodingFailed)
    }

    @Test func `the decoder of the request wins over the network's`() async throws {
        struct Stamp: Codable, Equatable { var at: Date }
        var configuration = NetworkConfiguration()
        configuration.decoder = JSONBodyDecoder { $0.dateDecodingStrategy = .secondsSince1970 }
        let network = Network(
            baseURL: api,
            transport: ScriptedTransport { .init(status: 200, body: .bytes(Data(#"{"at":0}"#.utf8)), request: $0) },
            configuration: configuration
        )

        #expect(try await network.send(GetValue<Stamp>()).at == Date(timeIntervalSince1970: 0))
        let own = GetValue<Stamp>().configured { $0.decoder = JSONBodyDecoder() }
        #expect(try await network.send(own).at == Date(timeIntervalSinceReferenceDate: 0))
    }

    @Test func `reads property lists`() async throws {
        let data = try PropertyListBodyEncoder().encode(User(name: "Ada"))
        let server = ScriptedTransport { .init(status: 200, body: .bytes(data), request: $0) }
        let request = AskUser().configured { $0.decoder = PropertyListBodyDecoder() }

        #expect(try await Network(baseURL: api, transport: server).send(request) == User(name: "Ada"))
    }

    // MARK: Acceptable statuses

    @Test(
        arguments: [(199, false), (200, true), (299, true), (300, false), (404, false), (500, false)]
            as [(HTTPStatus, Bool)]
    )
    func `accepts 200 to 299`(status: HTTPStatus, isAccepted: Bool) async throws {
        #expect((await network(.status(status)).result(of: AskNothing()).code == nil) == isAccepted)
    }

    @Test func `the request and the send say otherwise`() async throws {
        var configuration = NetworkConfiguration()
        configuration.acceptableStatuses = [204]
        let network = Network(
            baseURL: api,
            transport: ScriptedTransport { .init(status: 404, request: $0) },
            configuration: configuration
        )

        #expect(await network.result(of: AskNothing()).code == .unacceptableStatus)
        #expect(await network.result(of: AskNothing().configured { $0.acceptableStatuses = .all }).code == nil)
        #expect(await network.result(of: AskNothing().configured { $0.acceptableStatuses = [404, 410] }).code == nil)
    }

    @Test func `304 is acceptable if the caller asked for it, and not if an action did`() async throws {
        let conditional = NetworkRequest(url: api, headers: [.ifNoneMatch: "\"1\""])
        #expect(try await network(.status(304)).send(conditional).status == 304)

        let adding = HookAction(willBegin: { request in
            var request = request
            request.headers[.ifNoneMatch] = "\"1\""
            return .proceed(request)
        })
        let result = await network(.status(304)).adding(adding).result(of: AskNothing())
        #expect(result.code == .unacceptableStatus)
    }
}
