#if canImport(Glibc)
    import Foundation
    import Pipeline
    import Testing

    /// What `/files/big` holds: one line of 64 bytes, again and again.
    enum BigBody {
        private static let line = Data("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-\n".utf8)
        private static let sample = (0..<16384).reduce(into: Data()) { sample, _ in sample.append(line) }

        /// The bytes that stand there.
        static func bytes(at offset: Int, count: Int) -> Data {
            var bytes = Data(capacity: count)
            var rest = sample.dropFirst(offset % line.count)
            while bytes.count < count {
                bytes.append(rest.prefix(count - bytes.count))
                rest = sample
            }
            return bytes
        }

        /// Reads chunks to the end, and compares every byte.
        ///
        /// - Returns: How many bytes there were.
        static func compare(
            _ chunks: inout ResponseBody.Iterator,
            from start: Int = 0,
            afterEach megabytes: Int = .max,
            do work: () async throws -> Void = {}
        ) async throws -> Int {
            var offset = start
            var restAt = start
            while let chunk = try await chunks.next() {
                try #require(chunk == bytes(at: offset, count: chunk.count), "wrong bytes after \(offset)")
                offset += chunk.count
                if (offset - restAt) >> 20 >= megabytes {
                    restAt = offset
                    try await work()
                }
            }
            return offset
        }
    }
#endif
