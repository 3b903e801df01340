public import Foundation

/// The chunks of a request body, read once from the beginning.
///
/// A transport pulls them one at a time and asks for the next one only when the last is on its way.
public struct RequestBodyChunks: AsyncSequence, AsyncIteratorProtocol {
    public typealias Element = Data

    private let pull: () async throws -> Data?

    init(_ pull: @escaping () async throws -> Data?) {
        self.pull = pull
    }

    public mutating func next() async throws -> Data? {
        try await pull()
    }

    public func makeAsyncIterator() -> RequestBodyChunks { self }

    /// How much of a file is read at once: large enough for speed, small enough for many uploads side by side.
    private static let fileChunk = 64 * 1024

    /// - Parameter announced: What the file was when its length was announced, if it was.
    init(contentsOf url: URL, as announced: BodyFile.Version? = nil) throws {
        let file = try BodyFile(url, as: announced)
        var position = 0
        self.init {
            let chunk = try file.chunk(at: position, upTo: Self.fileChunk)
            position += chunk.count
            return chunk.isEmpty ? nil : chunk
        }
    }
}

/// A streamed body: how to make its chunks, and whether that was done.
final class StreamedContent: Sendable {
    let length: Int?
    let isReplayable: Bool
    private let make: @Sendable () -> RequestBodyChunks
    private let isClaimed = Locked(false)

    init(length: Int?, isReplayable: Bool, make: @escaping @Sendable () -> RequestBodyChunks) {
        self.length = length
        self.isReplayable = isReplayable
        self.make = make
    }

    var canBeRead: Bool { isReplayable || !isClaimed.withLock { $0 } }

    func makeChunks() throws -> RequestBodyChunks {
        let wasClaimed = isClaimed.withLock { isClaimed in
            defer { isClaimed = true }
            return isClaimed
        }
        guard isReplayable || !wasClaimed else { throw NetworkError(.bodyNotReplayable, reach: .no) }
        guard let length else { return make() }
        return make().exactly(length)
    }
}

extension RequestBodyChunks {
    /// These chunks, failing if they are not `length` bytes in all.
    ///
    /// The chunk that completes the length is handed out when it is known that none comes behind it. A server that has as many
    /// bytes as it was told of takes the request for whole, and what came behind would be lost.
    func exactly(_ length: Int) -> RequestBodyChunks {
        var chunks = self
        var left = length
        var isComplete = false
        return RequestBodyChunks {
            guard !isComplete else { return nil }
            let chunk = try await chunks.next()
            left -= chunk?.count ?? 0
            if chunk != nil, left == 0 {
                isComplete = true
                while left == 0, let more = try await chunks.next() { left -= more.count }
            }
            guard left >= 0, chunk != nil || left == 0 else {
                throw NetworkError(
                    .encodingFailed,
                    "the body stream gave \(left < 0 ? "more" : "fewer") bytes than the \(length) announced"
                )
            }
            return chunk
        }
    }
}
