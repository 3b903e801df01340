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
}
