import Dispatch
import Foundation

/// Standard input as chunks, read while they are sent.
///
/// Reading waits on a queue of its own: a terminal may say nothing for hours, and must not hold one of the few threads
/// that tasks run on.
struct StandardInput: AsyncSequence, Sendable {
    typealias Element = Data

    func makeAsyncIterator() -> Iterator { Iterator() }

    struct Iterator: AsyncIteratorProtocol, Sendable {
        private static let queue = DispatchQueue(label: "standard input")
        private static let chunkSize = 64 * 1024

        func next() async throws -> Data? {
            let chunk = try await withCheckedThrowingContinuation { continuation in
                Self.queue.async {
                    continuation.resume(with: Result { try Self.read() })
                }
            }
            return chunk.isEmpty ? nil : chunk
        }

        private static func read() throws -> Data {
            try FileHandle.standardInput.read(upToCount: chunkSize) ?? Data()
        }
    }
}
