public import Foundation
public import Pipeline

/// A request that is about to be sent, as the hook of a ``SigningAction`` is given it.
public struct SignableRequest: Sendable {
    /// The request, with all that the actions before have done to it.
    public let request: NetworkRequest

    /// Wraps a request, to test a hook.
    public init(_ request: NetworkRequest) {
        self.request = request
    }

    /// The time on the wall, by the network's time source. Sign with it, and tests can choose the date.
    public var date: Date { request.context.time.date }

    /// The bytes of the body, if they are in memory; empty if there is no body, `nil` for a file or a stream.
    public var bodyData: Data? { request.body.isEmpty ? Data() : request.body.data }

    /// The digest of the body, whatever it is made of. A file or a stream is read to its end for it, and once more when it is
    /// sent.
    ///
    /// - Parameter algorithm: The hash function.
    /// - Throws: `NetworkError` `body-not-replayable` for a stream that can be read once only, which is left unread; sign such a
    ///   request without its body, if the server allows that. `file-failed` for a file that cannot be read, and
    ///   `hash-unavailable`.
    public func bodyDigest(_ algorithm: HashAlgorithm) async throws -> Data {
        var digest = try MessageDigest(algorithm)
        guard request.body.isReplayable else {
            throw NetworkError(
                .bodyNotReplayable,
                "the body can be read once only, so it cannot be signed before it is sent",
                reach: .no
            )
        }
        for try await chunk in try request.body.makeChunks() {
            try Task.checkCancellation()
            digest.update(chunk)
        }
        return digest.finalized()
    }
}
