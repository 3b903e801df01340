import Foundation
import Pipeline

extension ActionConformance {
    /// What a request carries goes past an action, and nothing stays behind.
    static let carryingCases: [Case] = [
        Case("keeps custom properties") { stage in
            let request = try await arrival(on: stage) { $0.customProperties["conformance"] = "kept" }
            let value = request.customProperties["conformance"] as? String
            try stage.expect(value == "kept", "the property", saw: String(describing: value))
        },
        Case("keeps header fields it does not own") { stage in
            let request = try await arrival(on: stage) { $0.headers["X-Conformance"] = "kept" }
            let value = request.headers["X-Conformance"]
            try stage.expect(value == "kept", "the field", saw: String(describing: value))
        },
        Case("keeps the options of a request") { stage in
            let request = try await arrival(on: stage) {
                $0.tag = "conformance"
                $0.priority = .low
            }
            try stage.expect(request.tag == "conformance", "the tag", saw: request.tag ?? "none")
            try stage.expect(request.priority == .low, "the priority", saw: String(describing: request.priority))
        },
        Case("releases requests, responses and itself") { stage in
            let leaks = LeakCheck()
            let action = try await sendAndRelease(on: stage, leaks)
            await leaks.untilAllReleased()
            try stage.expect(leaks.unreleased.isEmpty, "nothing held", saw: leaks.unreleased.joined(separator: ", "))
            try stage.expect(action.reference == nil, "a released action", saw: "one that somebody holds")
        },
    ]

    /// Sends a request and returns it as it came to the transport.
    private static func arrival(
        on stage: ActionStage,
        changing change: (inout NetworkRequest) -> Void
    ) async throws -> NetworkRequest {
        var request = stage.request
        change(&request)
        let transport = ScriptedTransport { NetworkResponse(status: 200, request: $0) }
        _ = try await stage.network(over: transport).send(request)
        // One that answers by itself carries nothing on, so there is nothing to lose.
        guard let arrived = transport.requests.last else {
            throw stage.broken("a request at the transport", saw: "none")
        }
        return arrived
    }

    private struct WeakAction {
        weak var reference: AnyObject?
    }

    /// In a function of its own, so that nothing here holds what must be released.
    private static func sendAndRelease(on stage: ActionStage, _ leaks: LeakCheck) async throws -> WeakAction {
        let action = stage.makeAction()
        let network = Network(
            actions: [HoldingAction(leaks.token("the network")), action],
            transport: ForgettingTransport(token: leaks.token("the transport")),
            configuration: NetworkConfiguration(time: SkippingTime())
        )
        var request = stage.request
        request.customProperties["conformance-token"] = leaks.token("a request")
        _ = try await network.send(request)
        return WeakAction(reference: type(of: action) is AnyClass ? action as AnyObject : nil)
    }
}

/// A transport that answers and keeps nothing: one that remembered requests would hold the network through them.
private struct ForgettingTransport: Transport {
    let token: LeakCheck.Token

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        NetworkResponse(status: 200, body: .bytes(Data("ok".utf8)), request: request)
    }
}
