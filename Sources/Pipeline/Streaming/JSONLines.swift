import Foundation

extension NetworkResponse {
    /// The body as JSON Lines (also called NDJSON): a value on each line, read while they arrive.
    ///
    ///     for try await user in try await network.stream(ExportUsers()).jsonLines(of: User.self) { add(user) }
    ///
    /// Lines that are empty or blank are skipped. A line that is no such value ends the body with a `decoding-failed` error that
    /// names the line, counted from 1 with the blank ones, and how it begins.
    ///
    /// - Parameters:
    ///   - type: What each line is read as.
    ///   - decoder: How. The decoder of the request or the network unless told otherwise.
    ///   - limit: The length of the longest line, in bytes: 1 MiB unless told otherwise. A longer one ends the body with a
    ///     `line-too-long` error.
    public func jsonLines<Value: Decodable & Sendable>(
        of type: Value.Type,
        decoder: (any BodyDecoder)? = nil,
        upTo limit: Int = 1 << 20
    ) -> JSONLines<Value> {
        JSONLines(response: self, decoder: decoder ?? request.decoder ?? JSONBodyDecoder(), limit: limit)
    }
}

/// The values on the lines of a response's body.
///
/// A streamed body is read once; a second reader gets a `body-already-read` error. Letting go of the iterator ends the transfer.
public struct JSONLines<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value

    fileprivate let response: NetworkResponse
    fileprivate let decoder: any BodyDecoder
    fileprivate let limit: Int

    /// Begins to read the body.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: LineReader(response, limit: limit), decoder: decoder)
    }

    /// Reads ``JSONLines``.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var reader: LineReader
        fileprivate let decoder: any BodyDecoder

        /// Waits for the next value. It is decoded away from the caller's actor.
        ///
        /// - Returns: The value, or `nil` behind the last.
        /// - Throws: ``NetworkError`` if the body breaks off or was read before, `line-too-long`, or `decoding-failed`.
        public mutating func next() async throws -> Value? {
            while let line = try await reader.next() {
                if line.allSatisfy(Self.isBlank) { continue }
                do {
                    return try await Self.decode(line, with: decoder)
                } catch {
                    let place = "line \(reader.number)"
                    throw reader.fail(
                        NetworkError(undecodable: line, at: place, as: Value.self, cause: error),
                        in: .decode
                    )
                }
            }
            return nil
        }

        @concurrent
        private static func decode(_ line: Data, with decoder: any BodyDecoder) async throws -> Value {
            try decoder.decode(Value.self, from: line)
        }

        private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    }
}
