import Foundation
import Pipeline

extension Cassette.RecordedRequest {
    /// The request as messages show it: method and URL, without query.
    var name: String { "\(method) \(url.prefix { $0 != "?" })" + (url.contains("?") ? "?…" : "") }
}

extension Cassette.Exchange {
    /// Plays the exchange.
    ///
    /// - Throws: ``/Pipeline/NetworkError`` with the code that was recorded, or `file-failed` if the body was not kept.
    func response(to request: NetworkRequest) throws -> NetworkResponse {
        let failure = failure.map { NetworkError(NetworkError.Code(rawValue: $0), "it was recorded like this") }
        guard let response else {
            throw failure ?? NetworkError(.fileFailed, "the cassette has neither a response nor a failure for it")
        }
        guard let data = response.body.data else {
            throw NetworkError(.fileFailed, "the body of the response was too large to be kept on the cassette")
        }
        return NetworkResponse(
            status: HTTPStatus(response.status),
            headers: headers(of: response, length: data.count, to: request),
            body: failure.map { .stream(BodyStream([data], throwing: $0)) } ?? .bytes(data),
            request: request
        )
    }

    /// The header fields, with the length of the body as it is played: secrets and spaces may be missing in it.
    private func headers(of response: Cassette.RecordedResponse, length: Int, to request: NetworkRequest) -> HTTPHeaders
    {
        var headers = HTTPHeaders(response.headers.compactMap(HTTPField.init(line:)))
        if headers.contains(.contentLength), request.method != .head { headers[.contentLength] = "\(length)" }
        return headers
    }
}
