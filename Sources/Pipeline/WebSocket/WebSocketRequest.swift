import Foundation

/// The request that opens a WebSocket: what another request asks for, with what RFC 6455, section 4.1, adds.
struct WebSocketRequest<Base: Request>: Request {
    typealias Response = NetworkResponse

    let base: Base
    let subprotocols: [String]
    /// Called with the tag of each request that is built.
    let noteTag: @Sendable (String?) -> Void

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        try buildRequest(withOptional: baseURL)
    }

    func buildRequest(withOptional baseURL: URL?) throws -> NetworkRequest {
        var request = try base.buildRequest(withOptional: baseURL)
        noteTag(request.tag)
        request.url = WebSocketHandshake.httpURL(of: request.url)
        try check(request)
        request.headers[.secWebSocketVersion] = WebSocketHandshake.version
        if !subprotocols.isEmpty {
            request.headers[.secWebSocketProtocol] = subprotocols.joined(separator: ", ")
        }
        request.upgrade = WebSocketHandshake.upgrade
        request.acceptableStatuses = [.switchingProtocols]
        request.delivery = .stream
        request.actions.append(WebSocketHandshakeAction(subprotocols: subprotocols))
        return request
    }

    var customProperties: CustomProperties { base.customProperties }

    var actions: [any Action] { base.actions }

    var requestType: any Request.Type { base.requestType }

    private func check(_ request: NetworkRequest) throws(NetworkError) {
        guard request.method == .get, request.body.isEmpty else {
            throw NetworkError(.invalidRequest, "a WebSocket is opened by a GET without a body", reach: .no)
        }
        guard request.url.fragment == nil else {
            throw NetworkError(.invalidRequest, "the URL of a WebSocket has no fragment (RFC 6455, 3)", reach: .no)
        }
        let own: [HTTPFieldName] = [
            .secWebSocketKey, .secWebSocketVersion, .secWebSocketProtocol, .secWebSocketExtensions, .secWebSocketAccept,
        ]
        if let name = own.first(where: request.headers.contains) {
            throw NetworkError(
                .invalidRequest,
                "\(name.spelling) is set by the WebSocket; subprotocols belong into its configuration",
                reach: .no
            )
        }
        guard subprotocols.allSatisfy(HTTPSyntax.isToken), Set(subprotocols).count == subprotocols.count else {
            throw NetworkError(.invalidRequest, "a subprotocol is no token, or is there twice", reach: .no)
        }
    }
}

/// Gives each connection a key of its own, and holds the answer to it. It stands innermost, so that whatever tries again further
/// out gets another key.
struct WebSocketHandshakeAction: RequestWillBeginAction, ResponseCompletedAction {
    let subprotocols: [String]

    var zone: ActionZone { .hop }

    func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        var request = request
        request.headers[.secWebSocketKey] = WebSocketHandshake.makeKey()
        return .proceed(request)
    }

    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        let response = try outcome.get()
        guard response.status == .switchingProtocols else { return .deliver(response) }
        do {
            let key = request.headers[.secWebSocketKey] ?? ""
            _ = try WebSocketHandshake.check(response.headers, key: key, subprotocols: subprotocols)
        } catch {
            var head = response
            head.body = .empty
            throw NetworkError(.webSocketHandshakeFailed, "\(error)", response: head)
        }
        guard response.body.stream?.connection != nil else {
            throw NetworkError(.webSocketUnsupported, "the transport has answered 101 without a connection")
        }
        return .deliver(response)
    }
}
