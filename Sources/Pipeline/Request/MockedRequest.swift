public import Foundation

/// A request that says itself what it would be answered with, for previews and tests.
///
///     struct GetTodo: MockedRequest {
///         typealias Response = Todo
///         let id: Int
///         var mockedData: Data { Data(#"{"id": \#(id), "title": "Milk"}"#.utf8) }
///
///         func buildRequest(with baseURL: URL) throws -> NetworkRequest {
///             NetworkRequest(url: try baseURL.joining("todos").appending(segments: "\(id)"))
///         }
///     }
///
/// To a live transport it is a request like any other, and its mock is never made. The `MockingTransport` of `PipelineTesting`
/// answers with it. The mock travels with the network request (``NetworkRequest/mock``), so it stays when the request is
/// configured, mapped or streamed.
public protocol MockedRequest: Request {
    /// The body of the answer.
    var mockedData: Data { get }

    /// The whole answer. Unless told otherwise it has status 200, ``mockedData`` as its body, and the type `application/json` if
    /// that begins like JSON.
    ///
    /// - Parameter request: The request as it came to the transport, with what every action had done to it.
    /// - Throws: Anything, to have the attempt fail with it.
    func mockedResponse(to request: NetworkRequest) throws -> NetworkResponse
}

extension MockedRequest {
    public func mockedResponse(to request: NetworkRequest) throws -> NetworkResponse {
        NetworkResponse(mocking: mockedData, for: request)
    }

    /// Calls ``Request/buildRequest(with:)`` and gives the result its mock. A request that implements this one itself, since it needs
    /// no base URL, sets ``NetworkRequest/mock`` there.
    public func buildRequest(withOptional baseURL: URL?) throws -> NetworkRequest {
        var request = try buildRequest(requiring: baseURL)
        request.mock = { [self] in try mockedResponse(to: $0) }
        return request
    }
}

/// What a request would be answered with. Its name is `mockedResponse`.
public enum MockKey: CustomPropertyKey {
    public static let name = "mockedResponse"
    public static let defaultValue: (@Sendable (NetworkRequest) throws -> NetworkResponse)? = nil
}

extension NetworkRequest {
    /// What the request would be answered with where nothing is sent; `nil` if it does not say.
    ///
    /// ``MockedRequest`` sets it. Live transports do not look at it.
    public var mock: (@Sendable (NetworkRequest) throws -> NetworkResponse)? {
        get { customProperties[MockKey.self] }
        set { customProperties[MockKey.self] = newValue }
    }
}

extension NetworkResponse {
    /// The answer that a mocked body stands for: status 200, and JSON if it begins like that.
    init(mocking data: Data, for request: NetworkRequest) {
        let first = data.first { !" \t\r\n".utf8.contains($0) }
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        self.init(
            status: .ok,
            headers: isJSON ? [.contentType: "application/json"] : [:],
            body: .bytes(data),
            request: request
        )
    }
}
