public import Foundation

/// The body of a response that is read while it arrives.
///
/// It is an asynchronous sequence of chunks that can be read once; a second reader gets a `body-already-read` error. Reading
/// slowly slows the transfer down. A stream has exactly one ``End``. It ends by itself, by an error, by cancellation of the
/// send, or because nobody can read it any more: when its reader or the response is let go of, its connection is too.
///
///     let response = try await network.send(NetworkRequest(method: .get, url: feed, delivery: .stream))
///     for try await chunk in response.body { consume(chunk) }
///
/// Actions that want to see the beginning use ``peek(upTo:)``, which leaves the stream whole.
public final class BodyStream: AsyncSequence, Sendable {
    public typealias Element = Data

    /// How a stream ended.
    public enum End: Sendable {
        /// The whole body arrived.
        case finished
        /// The body broke off.
        case failed(NetworkError)
        /// The send was cancelled.
        case cancelled
        /// Whoever could have read it let go.
        case abandoned
    }

    private struct State: Sendable {
        /// Chunks that were looked at and not yet read.
        var peeked: [Data] = []
        var isClaimed = false
        var isPeeking = false
        var end: End?
        var observers: [@Sendable (End) -> Void] = []
        var describe: (@Sendable (NetworkError) -> NetworkError)?
    }

    private let source: any BodySource
    private let state = Locked(State())

    /// The length that the response announced, if it did. What arrives can be more, after decompression.
    public let expectedLength: Int?

    /// Creates a stream over a source of bytes.
    ///
    /// - Parameters:
    ///   - source: Where the bytes come from.
    ///   - expectedLength: The announced length, for progress and for what is discarded.
    public init(_ source: any BodySource, expectedLength: Int? = nil) {
        self.source = source
        self.expectedLength = expectedLength
    }

    deinit { end(with: .abandoned) }

    /// The source, if it is a connection that has left HTTP.
    var connection: (any UpgradedConnection)? { source as? any UpgradedConnection }

    /// The trailers and the final metrics, once the body has ended; `nil` before, and if the transport does not tell.
    public var epilogue: BodyEpilogue? { source.epilogue }

    /// Calls `observer` once when the stream ends; at once if it has. On any thread.
    public func onEnd(_ observer: @escaping @Sendable (End) -> Void) {
        let end = state.withLock { state in
            if state.end == nil { state.observers.append(observer) }
            return state.end
        }
        if let end { observer(end) }
    }

    /// Ends the stream early, and the transfer with it; its reader gets a `cancelled` error. Nothing happens if it has ended.
    ///
    /// It is for code that keeps the response; letting go of its reader does the same.
    public func cancel() {
        end(with: .cancelled)
    }

    /// Ends the stream early. What ended first counts.
    func end(with end: End) {
        let observers = state.withLock { state -> [@Sendable (End) -> Void]? in
            guard state.end == nil else { return nil }
            state.end = end
            if case .finished = end {} else { state.peeked = [] }
            defer { state.observers = [] }
            return state.observers
        }
        guard let observers else { return }
        if case .finished = end {} else { source.cancel() }
        for observer in observers { observer(end) }
    }

    /// Sets what turns the source's errors into errors of the send.
    func describeErrors(with describe: @escaping @Sendable (NetworkError) -> NetworkError) {
        state.withLock { $0.describe = describe }
    }

    /// Looks at the beginning of the body and leaves the stream whole.
    ///
    /// - Parameter limit: How many bytes at most. The chunk that reaches it is kept for the reader, not lost.
    /// - Returns: The first bytes; fewer than `limit` only if the body is shorter.
    /// - Throws: ``NetworkError`` if the body breaks off before, or `body-already-read` if it is being read.
    public func peek(upTo limit: Int) async throws(NetworkError) -> Data {
        let isFree = state.withLock { state in
            guard !state.isClaimed, !state.isPeeking else { return false }
            state.isPeeking = true
            return true
        }
        guard isFree else { throw described(NetworkError(.bodyAlreadyRead)) }
        defer { state.withLock { $0.isPeeking = false } }
        while state.withLock({ $0.peeked.reduce(0) { $0 + $1.count } }) < limit, let chunk = try await pull() {
            state.withLock { $0.peeked.append(chunk) }
        }
        return state.withLock { state in
            state.peeked.reduce(into: Data()) { $0.append($1.prefix(limit - $0.count)) }
        }
    }

    /// Reads the whole body into memory.
    ///
    /// - Parameter limit: How many bytes at most; as many as there are unless told otherwise.
    /// - Throws: ``NetworkError`` if the body breaks off, is larger (`response-too-large`), or was read before
    ///   (`body-already-read`).
    public func collect(upTo limit: Int = .max) async throws(NetworkError) -> Data {
        var body = Data()
        var iterator = makeAsyncIterator()
        while let chunk = try await iterator.nextChunk() {
            guard chunk.count <= limit - body.count else {
                let error = described(NetworkError(.responseTooLarge, "the body is larger than \(limit) bytes"))
                end(with: .failed(error))
                throw error
            }
            body.append(chunk)
        }
        return body
    }

    /// Begins to read. The first call gets the body, later ones an iterator that throws.
    public func makeAsyncIterator() -> Iterator {
        let isFirst = state.withLock { state in
            defer { state.isClaimed = true }
            return !state.isClaimed && !state.isPeeking
        }
        return Iterator(reader: isFirst ? Reader(stream: self) : nil)
    }

    /// Reads a ``BodyStream``. When the last copy is let go of before the end, the stream is abandoned.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: Reader?

        /// Waits for the next chunk.
        ///
        /// - Returns: The chunk, never empty, or `nil` at the end.
        /// - Throws: ``NetworkError`` if the body breaks off or was read before.
        public mutating func next() async throws -> Data? {
            try await nextChunk()
        }

        mutating func nextChunk() async throws(NetworkError) -> Data? {
            guard let reader else { throw NetworkError(.bodyAlreadyRead) }
            return try await reader.stream.pullInOrder()
        }
    }

    fileprivate final class Reader: Sendable {
        let stream: BodyStream
        init(stream: BodyStream) { self.stream = stream }
        deinit { stream.end(with: .abandoned) }
    }

    private func pullInOrder() async throws(NetworkError) -> Data? {
        let peeked = state.withLock { $0.peeked.isEmpty ? nil : $0.peeked.removeFirst() }
        if let peeked { return peeked }
        return try await pull()
    }

    private func pull() async throws(NetworkError) -> Data? {
        if let end = state.withLock({ $0.end }) { return try outcome(of: end) }
        do {
            if let chunk = try await withTaskCancellationHandler(
                operation: { try await source.next() },
                onCancel: { self.end(with: .cancelled) }
            ) {
                if let end = state.withLock({ $0.end }) { return try outcome(of: end) }
                return chunk
            }
            end(with: .finished)
        } catch {
            end(with: .failed(described(NetworkError(transportFailure: error))))
        }
        return try outcome(of: state.withLock { $0.end } ?? .finished)
    }

    private func outcome(of end: End) throws(NetworkError) -> Data? {
        switch end {
        case .finished: return nil
        case .failed(let error): throw error
        case .cancelled, .abandoned: throw described(NetworkError(.cancelled))
        }
    }

    private func described(_ error: NetworkError) -> NetworkError {
        state.withLock { $0.describe }?(error) ?? error
    }
}
