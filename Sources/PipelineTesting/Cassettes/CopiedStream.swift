import Foundation
import Pipeline

/// Hands on the chunks of a stream and keeps a copy of them. It pulls a chunk only when its own reader does.
final class CopiedStream: BodySource {
    private struct Copy {
        var data = Data()
        var size = 0
    }

    private let stream: BodyStream
    private let limit: Int
    private nonisolated(unsafe) var iterator: BodyStream.Iterator?  // Pulled by one reader.
    private let copy = Locked(Copy())

    /// - Parameter limit: The largest body that is kept, in bytes.
    init(_ stream: BodyStream, limit: Int) {
        self.stream = stream
        self.limit = limit
    }

    /// What was handed on; `nil` if it is more than the limit.
    var content: Data? { copy.withLock { $0.size > limit ? nil : $0.data } }

    /// How many bytes were handed on.
    var size: Int { copy.withLock { $0.size } }

    var epilogue: BodyEpilogue? { stream.epilogue }

    func next() async throws -> Data? {
        if iterator == nil { iterator = stream.makeAsyncIterator() }
        guard let chunk = try await iterator?.next() else { return nil }
        copy.withLock { copy in
            copy.size += chunk.count
            if copy.size <= limit { copy.data.append(chunk) } else { copy.data = Data() }
        }
        return chunk
    }

    func cancel() { stream.cancel() }
}
