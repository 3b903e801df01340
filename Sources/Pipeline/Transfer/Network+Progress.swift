extension Network {
    /// Sends a request, tells how far its bodies get, and returns what the server answered, decoded.
    ///
    ///     let report = try await network.value(of: GetReport()) { progress in
    ///         bar.doubleValue = progress.fraction ?? 0
    ///     }
    ///
    /// The closure runs where the caller does, on its actor: code of the main actor can show what it is told without further
    /// ado. It is called in order, never twice at once and never after this returns, ten times a second at most for each
    /// direction; while it takes its time, the send goes on and it is told the latest. The last of each direction is told
    /// before this returns.
    ///
    /// A body that is left a stream is told about until its head is in: whoever reads the stream sees the rest.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - priority: The priority of the send; the calling task's unless told otherwise.
    ///   - onProgress: Called with each progress.
    /// - Throws: ``NetworkError`` for everything that can go wrong, cancellation included.
    public func value<R: Request>(
        of request: R,
        priority: TaskPriority? = nil,
        onProgress: (TransferProgress) -> Void
    ) async throws(NetworkError) -> R.Response {
        let send = MeteredSend(request, on: self, priority: priority)
        while let progress = await send.next() { onProgress(progress) }
        return try await send.value()
    }

    /// What becomes of a request, as a sequence: how far its bodies get, and in the end what the server answered, decoded.
    ///
    ///     for try await update in network.updates(of: GetReport()) {
    ///         switch update {
    ///         case .progress(let progress): show(progress)
    ///         case .finished(let report): show(report)
    ///         }
    ///     }
    ///
    /// Nothing is sent until somebody reads; each iterator makes a send of its own.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - priority: The priority of the send; the reading task's unless told otherwise.
    public func updates<R: Request>(
        of request: R,
        priority: TaskPriority? = nil
    ) -> TransferUpdates<R.Response> {
        TransferUpdates { MeteredSend(request, on: self, priority: priority) }
    }
}
