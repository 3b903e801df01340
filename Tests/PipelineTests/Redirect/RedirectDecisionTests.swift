import Foundation
import Testing

@testable import Pipeline

struct RedirectDecisionTests {
    @Test(arguments: [
        (307, "POST", true), (308, "POST", true), (301, "POST", false), (302, "POST", false), (303, "POST", false),
        (302, "GET", true), (303, "HEAD", true), (307, "DELETE", true), (302, "DELETE", false), (200, "GET", false),
        (304, "GET", false), (503, "POST", false),
    ])
    func `tells redirects that have done nothing from those that may have`(status: Int, method: String, isUndone: Bool)
    {
        let (status, method) = (HTTPStatus(status), HTTPMethod(rawValue: method))
        #expect(RedirectDecision.sendsElsewhere(status, method) == isUndone)
    }

    private struct Step: Sendable {
        var from = "http://h.test/chat"
        let to: String
        var upgrade: String? = "websocket"
        /// Where it leads; nowhere if `nil`.
        var next: String?
    }

    private static let steps = [
        Step(to: "ws://h.test/next", next: "http://h.test/next"),
        Step(to: "wss://h.test/next", next: "https://h.test/next"),
        Step(to: "WSS://h.test:8443/next?a=b", next: "https://h.test:8443/next?a=b"),
        Step(to: "https://h.test/next", next: "https://h.test/next"),
        Step(from: "https://h.test/chat", to: "wss://h.test/next", next: "https://h.test/next"),
        Step(from: "https://h.test/chat", to: "ws://h.test/next"),
        Step(from: "https://h.test/chat", to: "http://h.test/next"),
        Step(to: "ws://h.test/chat"),
        Step(to: "file:///etc/passwd"),
        Step(to: "ws://h.test/next", upgrade: nil),
        Step(to: "wss://h.test/next", upgrade: nil),
        Step(to: "ws://h.test/next", upgrade: "other"),
    ]

    @Test(arguments: steps.indices)
    func `knows the schemes of a handshake, for handshakes alone`(index: Int) throws {
        let step = Self.steps[index]
        var request = NetworkRequest(url: try #require(URL(string: step.from)))
        request.upgrade = step.upgrade
        let response = NetworkResponse(status: 301, headers: [.location: step.to], request: request)
        switch RedirectDecision(on: response, to: request, visited: [request.url]) {
        case .follow(let next): #expect(next.url.absoluteString == step.next, "\(step)")
        case .refuse: #expect(step.next == nil, "\(step)")
        case .deliver: Issue.record("\(step)")
        }
    }
}
