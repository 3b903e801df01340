public import Foundation

extension Network {
    /// Downloads what a request asks for to a file, and goes on where an earlier download of it broke off.
    ///
    ///     let file = try await network.download(GetImage(id: 7), to: folder)
    ///     show(file.url)
    ///
    /// It is short for sending a ``Download``, which says what is promised.
    ///
    /// - Parameters:
    ///   - request: What is asked for. Its response is not decoded.
    ///   - target: The file, or a folder in which it gets the name that the server gives it.
    ///   - isResumable: Whether to go on where an earlier download broke off, and to keep what has arrived if this one does;
    ///     `true` unless told otherwise.
    ///   - priority: The priority of the send; the calling task's unless told otherwise.
    ///   - onProgress: Called where the caller runs, as in ``value(of:priority:onProgress:)``.
    /// - Throws: ``NetworkError`` for everything that can go wrong, cancellation included. What was at the target before is
    ///   still there then.
    @discardableResult
    public func download<R: Request>(
        _ request: R,
        to target: URL,
        resuming isResumable: Bool = true,
        priority: TaskPriority? = nil,
        onProgress: (TransferProgress) -> Void = { _ in }
    ) async throws(NetworkError) -> DownloadedFile {
        try await value(
            of: Download(request, to: target, resuming: isResumable),
            priority: priority,
            onProgress: onProgress
        )
    }

    /// Downloads what is at a URL to a file, and goes on where an earlier download of it broke off.
    ///
    /// It is short for sending a ``Download`` of a GET request.
    ///
    /// - Parameters:
    ///   - url: Where the file is.
    ///   - target: The file, or a folder in which it gets the name that the server gives it.
    ///   - isResumable: Whether to go on where an earlier download broke off, and to keep what has arrived if this one does;
    ///     `true` unless told otherwise.
    ///   - priority: The priority of the send; the calling task's unless told otherwise.
    ///   - onProgress: Called where the caller runs, as in ``value(of:priority:onProgress:)``.
    /// - Throws: ``NetworkError`` for everything that can go wrong, cancellation included. What was at the target before is
    ///   still there then.
    @discardableResult
    public func download(
        _ url: URL,
        to target: URL,
        resuming isResumable: Bool = true,
        priority: TaskPriority? = nil,
        onProgress: (TransferProgress) -> Void = { _ in }
    ) async throws(NetworkError) -> DownloadedFile {
        try await download(
            NetworkRequest(method: .get, url: url),
            to: target,
            resuming: isResumable,
            priority: priority,
            onProgress: onProgress
        )
    }
}
