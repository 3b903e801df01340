import Foundation
import Pipeline

/// Answers from a table of paths.
struct StubTransport: Transport {
    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        switch request.url.path {
        case "/users": respond(#"[{"name": "Ada"}, {"name": "Grace"}]"#, to: request)
        case "/users/1": respond(#"{"name": "Ada"}"#, to: request)
        case "/me" where request.headers["Authorization"] == "Bearer secret": respond(#"{"name": "Me"}"#, to: request)
        case "/text": respond("hello", to: request)
        case "/busy" where request.context.attempt == 1: respond("", status: 503, to: request)
        case "/busy": respond("at last", to: request)
        case "/nobody": respond("", status: 204, to: request)
        case "/echo": NetworkResponse(status: 200, body: .bytes(request.body.data ?? Data()), request: request)
        default: respond(#"{"message": "not here"}"#, status: 404, to: request)
        }
    }

    private func respond(_ text: String, status: HTTPStatus = 200, to request: NetworkRequest) -> NetworkResponse {
        let count = text.utf8.count
        request.context.report(
            .progress(AttemptProgress(bytesSent: 0, bytesReceived: count, bytesToReceive: count))
        )
        return NetworkResponse(
            status: status,
            headers: ["Content-Type": "application/json"],
            body: .bytes(Data(text.utf8)),
            request: request
        )
    }
}
