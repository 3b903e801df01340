import Foundation
import Pipeline

/// A transport without a network: every request gets the same 200 at once, with its body as bytes.
///
/// It allocates nothing, so all that is counted of a send is the pipeline's.
struct InstantTransport: Transport {
    private let headers: HTTPHeaders = ["Content-Type": "application/json"]
    private let body = ResponseBody.bytes(Data(#"{"id": 1, "name": "Ada Lovelace"}"#.utf8))

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        NetworkResponse(status: .ok, headers: headers, body: body, request: request)
    }
}
