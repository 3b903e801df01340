public import Foundation

/// A request that is there to send a file, or another large body, in the place of the body that it has.
///
///     struct PostPhoto: Request {
///         typealias Response = Photo
///
///         func buildRequest(with baseURL: URL) throws -> NetworkRequest {
///             NetworkRequest(method: .post, url: try baseURL.joining("photos"))
///         }
///     }
///     let photo = try await network.send(Upload(PostPhoto(), from: file))
///
/// It asks what the request asks and reads the answer as that does, through every face. The body is read while it is sent and
/// never held in memory. A file goes out with its exact length, and can be sent again where a retry or a redirect asks for it.
///
/// A large body may take long, so the limits for an attempt and for the whole send (``TimeLimits/attempt``,
/// ``TimeLimits/total``) are lifted, unless the request sets them; a connection on which nothing moves still ends with
/// ``TimeLimits/idle``.
public struct Upload<Base: Request>: Request {
    public typealias Response = Base.Response

    private enum Content: Sendable {
        case file(URL, contentType: String?)
        case body(RequestBody)
    }

    private let base: Base
    private let content: Content

    /// Creates an upload of a file.
    ///
    /// The send fails with `file-failed` if the file is missing, cannot be read or is no plain file, before anything leaves, and
    /// if it changes while it is sent: then the request is broken off, so that no server takes a part for the whole.
    /// ``URLSessionTransport`` cannot do that: it reports the same error afterwards.
    ///
    /// - Parameters:
    ///   - base: What is asked, with a method that takes a body; GET, HEAD and TRACE are an `invalid-request` error.
    ///   - file: Where the file is.
    ///   - contentType: The media type; what the extension of the file's name says unless told otherwise, and
    ///     `application/octet-stream` if that says nothing. A `Content-Type` that the request sets itself stays.
    public init(_ base: Base, from file: URL, contentType: String? = nil) {
        self.base = base
        content = .file(file, contentType: contentType)
    }

    /// Creates an upload of any body: a multipart with files, or a stream.
    ///
    /// - Parameters:
    ///   - base: What is asked, with a method that takes a body; GET, HEAD and TRACE are an `invalid-request` error.
    ///   - body: The body.
    public init(_ base: Base, body: RequestBody) {
        self.base = base
        content = .body(body)
    }

    public func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        try buildRequest(withOptional: baseURL)
    }

    public func buildRequest(withOptional baseURL: URL?) throws -> NetworkRequest {
        var request = try base.buildRequest(withOptional: baseURL)
        guard ![.get, .head, .trace].contains(request.method) else {
            throw NetworkError(
                .invalidRequest,
                "\(request.method) is no method to upload with; use POST or PUT",
                reach: .no
            )
        }
        request.body = try makeBody()
        request.timeLimits.attempt = request.timeLimits.attempt ?? .unlimited
        request.timeLimits.total = request.timeLimits.total ?? .unlimited
        request.box.options.isUpload = true
        return request
    }

    private func makeBody() throws(NetworkError) -> RequestBody {
        switch content {
        case .body(let body):
            return body
        case .file(let url, let contentType):
            _ = try BodyFile(url)  // It fails now, not when all actions have had the request.
            return .file(url, contentType: contentType ?? MediaType.ofFile(named: url.lastPathComponent))
        }
    }

    public func response(from response: NetworkResponse) async throws -> Base.Response {
        try await base.response(from: response)
    }

    public var customProperties: CustomProperties { base.customProperties }

    public var actions: [any Action] { base.actions }

    /// The type of the request whose body is uploaded.
    public var requestType: any Request.Type { base.requestType }
}

extension Network {
    /// Sends a file as the body of a request and returns what the server answered, decoded.
    ///
    ///     let photo = try await network.upload(PostPhoto(), from: file)
    ///
    /// To do so through another face, send an ``Upload``, which says how it is done.
    ///
    /// - Parameters:
    ///   - request: What is asked, with a method that takes a body.
    ///   - file: Where the file is.
    ///   - contentType: The media type; what the extension of the file's name says unless told otherwise.
    ///   - priority: The priority of the send; the calling task's unless told otherwise.
    ///   - onProgress: Called where the caller runs, as in ``value(of:priority:onProgress:)``.
    /// - Throws: ``NetworkError`` for everything that can go wrong, cancellation included.
    public func upload<R: Request>(
        _ request: R,
        from file: URL,
        contentType: String? = nil,
        priority: TaskPriority? = nil,
        onProgress: (TransferProgress) -> Void = { _ in }
    ) async throws(NetworkError) -> R.Response {
        try await value(
            of: Upload(request, from: file, contentType: contentType),
            priority: priority,
            onProgress: onProgress
        )
    }

    /// Sends a body made of parts with a request and returns what the server answered, decoded.
    ///
    ///     let form = Multipart.formData([.field("title", "Holiday"), .file("photo", at: file)])
    ///     let photo = try await network.upload(PostPhoto(), multipart: form)
    ///
    /// To do so through another face, send an ``Upload``, which says how it is done.
    ///
    /// - Parameters:
    ///   - request: What is asked, with a method that takes a body.
    ///   - multipart: The parts.
    ///   - priority: The priority of the send; the calling task's unless told otherwise.
    ///   - onProgress: Called where the caller runs, as in ``value(of:priority:onProgress:)``.
    /// - Throws: ``NetworkError`` for everything that can go wrong, cancellation included.
    public func upload<R: Request>(
        _ request: R,
        multipart: Multipart,
        priority: TaskPriority? = nil,
        onProgress: (TransferProgress) -> Void = { _ in }
    ) async throws(NetworkError) -> R.Response {
        try await value(
            of: Upload(request, body: .multipart(multipart)),
            priority: priority,
            onProgress: onProgress
        )
    }
}
