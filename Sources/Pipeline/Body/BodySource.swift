public import Foundation

/// Where the bytes of a streamed response come from: what a transport gives to a ``BodyStream``.
///
/// The simplest way to make one is a ``BodyPipe``. To write your own, keep two promises: a chunk is never empty, and
/// ``cancel()`` makes a waiting ``next()`` return or throw at once.
public protocol BodySource: Sendable {
    /// Waits for the next chunk.
    ///
    /// - Returns: The chunk, or `nil` at the end of the body.
    /// - Throws: What broke the body off, as a ``NetworkError`` where the transport knows more.
    func next() async throws -> Data?

    /// Stops the transfer and lets go of its connection. It may be called at any time, on any thread, more than once.
    func cancel()

    /// What came after the body; `nil` before its end, and if the transport does not tell.
    var epilogue: BodyEpilogue? { get }
}

extension BodySource {
    /// Nothing.
    public var epilogue: BodyEpilogue? { nil }
}

/// What is known of a response only when its body has ended.
public struct BodyEpilogue: Sendable, Hashable {
    /// The fields that came after the body (RFC 9110, section 6.5).
    public var trailers: HTTPHeaders

    /// Times and sizes of the whole attempt; `nil` if the transport measures none.
    public var metrics: AttemptMetrics?

    /// Creates an epilogue.
    public init(trailers: HTTPHeaders = [:], metrics: AttemptMetrics? = nil) {
        self.trailers = trailers
        self.metrics = metrics
    }
}
