import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// B19: method and body after a redirect (RFC 9110, sections 15.4.2 to 15.4.9).
@Suite(.timeLimit(.minutes(3)))
struct RedirectBodyTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.handle(nil, "/from/:status") { request in
            .redirect(to: "/to", status: Int(request.parameters["status"] ?? "") ?? 302)
        }
        server.handle(nil, "/to") { _ in .text("there") }
    }

    struct Step: Sendable, CustomStringConvertible {
        let status: Int
        let method: HTTPMethod
        let then: String
        let keepsBody: Bool

        var description: String { "\(method) \(status) → \(then)" }
    }

    private static let steps = [
        Step(status: 301, method: .post, then: "GET", keepsBody: false),
        Step(status: 302, method: .post, then: "GET", keepsBody: false),
        Step(status: 303, method: .post, then: "GET", keepsBody: false),
        Step(status: 307, method: .post, then: "POST", keepsBody: true),
        Step(status: 308, method: .post, then: "POST", keepsBody: true),
        Step(status: 301, method: .put, then: "PUT", keepsBody: true),
        Step(status: 302, method: .put, then: "PUT", keepsBody: true),
        Step(status: 303, method: .put, then: "GET", keepsBody: false),
        Step(status: 307, method: .put, then: "PUT", keepsBody: true),
        Step(status: 303, method: .delete, then: "GET", keepsBody: false),
        Step(status: 307, method: .patch, then: "PATCH", keepsBody: true),
    ]

    @Test(arguments: steps, TransportKind.allCases)
    func `sends the method and the bytes that the status asks for`(step: Step, kind: TransportKind) async throws {
        let network = Network(transport: kind.transport)
        let body = RequestBody.bytes(Data("form".utf8), contentType: "text/x-form")
        let response = try await network.send(
            NetworkRequest(method: step.method, url: server.url("/from/\(step.status)"), body: body)
        )

        #expect(response.body.data == Data("there".utf8))
        let last = try #require(server.requests.last)
        #expect(server.requests.map(\.method) == [step.method.rawValue, step.then])
        #expect(last.bodyText == (step.keepsBody ? "form" : ""))
        #expect(last.values(of: "Content-Type") == (step.keepsBody ? ["text/x-form"] : []))
        #expect(last.values(of: "Content-Length").filter { $0 != "0" } == (step.keepsBody ? ["4"] : []))
        #expect(last.values(of: "Transfer-Encoding") == [])
    }

    private func chunks(isReplayable: Bool) -> RequestBody {
        .stream(isReplayable: isReplayable) {
            AsyncStream { continuation in
                continuation.yield(Data("once".utf8))
                continuation.finish()
            }
        }
    }

    @Test(arguments: [307, 308], TransportKind.allCases)
    func `hands up the redirect of a body that can be read once`(status: Int, kind: TransportKind) async throws {
        let network = Network(transport: kind.transport)
        let error = await #expect(throws: NetworkError.self) {
            try await network.send(
                NetworkRequest(method: .post, url: server.url("/from/\(status)"), body: chunks(isReplayable: false))
            )
        }

        #expect(error?.statusCode == status)
        #expect(error?.refusedRetry == .bodyNotReplayable)
        #expect(server.requests.map(\.bodyText) == ["once"])
    }

    @Test(arguments: TransportKind.allCases)
    func `reads a body again that can be read again`(kind: TransportKind) async throws {
        let network = Network(transport: kind.transport)
        _ = try await network.send(
            NetworkRequest(method: .post, url: server.url("/from/307"), body: chunks(isReplayable: true))
        )

        #expect(server.requests.map(\.bodyText) == ["once", "once"])
    }
}
