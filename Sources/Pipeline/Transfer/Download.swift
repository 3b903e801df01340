public import Foundation

/// A request whose response goes to a file, and is gone on with where it broke off.
///
///     let file = try await network.send(Download(GetImage(id: 7), to: folder)).url
///
/// Every face can send it; `network.download(_:to:)` is short for `send`.
///
/// The bytes are written while they arrive, into a hidden file beside the target that only its owner can read, never to
/// memory. When it is whole it is moved into its place in one step. What was there before stays until then, and stays for good
/// if the download fails.
///
/// - A file URL names the file, and one that is there is replaced. In a folder the file gets the name that the server gives it
///   (``ContentDisposition/fileName``), or else the last part of the URL's path, or `download`; no file there is ever
///   replaced: the next is `report (2).pdf`.
/// - What has arrived of a file when the download fails, is cancelled, or the program ends is kept, if the server tells states
///   of the file apart by a strong `ETag`, or by a `Last-Modified` that is old enough. The same request to the same target goes
///   on from there, be it by a `RetryAction` or in another run of the program: with `Range` and `If-Range` (RFC 9110, sections
///   14.2 and 13.1.5). Where the file has changed, or the answer does not fit, it starts again from the beginning, in the same
///   send. Requests with another method than GET always do.
/// - The file is checked against `Content-Length` (`truncated`), and against the SHA-256 and SHA-512 digests of `Repr-Digest`
///   and `Content-Digest`, in fields or trailers (RFC 9530; `digest-mismatch`, and nothing is kept). A system without these hash
///   functions cannot check digests, and does not go on with a part.
/// - A file that is larger than ``NetworkRequest/maximumResponseSize``, if the request sets that, is a `response-too-large` error
///   however many parts it comes in, and nothing of it is kept.
/// - The body is asked for as it is, unless the request sets `Accept-Encoding`. A compressed response is decoded, and cannot be
///   gone on with; lengths and digests are those of its compressed form, and are not compared.
///
/// A large file may take long, so the limits for an attempt and for the whole send (``TimeLimits/attempt``,
/// ``TimeLimits/total``) are lifted, unless the request sets them; ``TimeLimits/idle`` stays. A second download of the same to the
/// same target, while one is under way, is a `file-failed` error, and so is all that goes wrong on the disk.
public struct Download<Base: Request>: Request {
    public typealias Response = DownloadedFile

    /// What is asked for.
    public let base: Base

    /// The file, or the folder for it.
    public let target: URL

    /// Whether to go on where an earlier download broke off, and to keep what has arrived if this one does.
    public let isResumable: Bool

    /// Creates the request.
    ///
    /// - Parameters:
    ///   - base: What is asked for. Its response is not decoded. It sets neither `Range` nor `If-Range`, and is no HEAD request;
    ///     that is an `invalid-request` error.
    ///   - target: The file; or a folder, which is one that exists or a URL of a directory. If there is no such folder, that is
    ///     a `file-failed` error and nothing is sent.
    ///   - isResumable: Whether to go on where an earlier download broke off, and to keep what has arrived if this one does;
    ///     `true` unless told otherwise. With `false` a failed download leaves nothing behind.
    public init(_ base: Base, to target: URL, resuming isResumable: Bool = true) {
        self.base = base
        self.target = target
        self.isResumable = isResumable
    }

    public func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        try buildRequest(withOptional: baseURL)
    }

    public func buildRequest(withOptional baseURL: URL?) throws -> NetworkRequest {
        var request = try base.buildRequest(withOptional: baseURL)
        guard !request.headers.contains(.range), !request.headers.contains(.ifRange), request.method != .head else {
            throw NetworkError(.invalidRequest, "a download asks for ranges itself, and not with HEAD", reach: .no)
        }
        let download = RunningDownload(to: try DownloadTarget(target), of: request, isResumable: isResumable)
        request.download = download
        request.delivery = .file(target)
        request.actions.append(DownloadAction(download: download))
        if !request.headers.contains(.acceptEncoding) { request.headers[.acceptEncoding] = "identity" }
        request.timeLimits.attempt = request.timeLimits.attempt ?? .unlimited
        request.timeLimits.total = request.timeLimits.total ?? .unlimited
        return request
    }

    public func response(from response: NetworkResponse) async throws -> DownloadedFile {
        if let file = response.request.download?.file(in: response) { return file }
        return try await write(response)
    }

    /// Writes the body of a response that an action has given.
    private func write(_ response: NetworkResponse) async throws(NetworkError) -> DownloadedFile {
        let download = RunningDownload(to: try DownloadTarget(target), of: response.request, isResumable: false)
        guard download.takes(response) else { throw NetworkError(.emptyBody, "the response brings no file to keep") }
        _ = try download.open(for: response.url)
        do {
            let reception = try await download.receive(response.body, of: response)
            let file = try download.finish(reception, of: response)
            _ = download.close(after: .success(file.response))
            return file
        } catch {
            _ = download.close(after: .failure(error))
            throw error
        }
    }

    public var customProperties: CustomProperties { base.customProperties }

    public var actions: [any Action] { base.actions }

    public var requestType: any Request.Type { base.requestType }
}
