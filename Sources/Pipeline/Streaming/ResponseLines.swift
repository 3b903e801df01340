import Foundation

extension NetworkResponse {
    /// The body as text, line by line while it arrives.
    ///
    ///     for try await line in try await network.stream(GetLog()).lines() { print(line) }
    ///
    /// A line ends with LF, CRLF or CR; its end is not part of it, an empty line is an empty text, and a last line without an
    /// end counts. The text is read in the charset that `Content-Type` names if that keeps the line ends of ASCII, and as UTF-8
    /// otherwise, where what is no character becomes U+FFFD.
    ///
    /// - Parameter limit: The length of the longest line, in bytes: 1 MiB unless told otherwise. A longer one ends the body
    ///   with a `line-too-long` error that names it.
    public func lines(upTo limit: Int = 1 << 20) -> ResponseLines {
        ResponseLines(response: self, limit: limit)
    }
}

/// The lines of a response's body.
///
/// A streamed body is read once; a second reader gets a `body-already-read` error. Letting go of the iterator ends the transfer.
public struct ResponseLines: AsyncSequence, Sendable {
    public typealias Element = String

    fileprivate let response: NetworkResponse
    fileprivate let limit: Int

    /// Begins to read the body.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: LineReader(response, limit: limit), encoding: response.lineEncoding)
    }

    /// Reads ``ResponseLines``.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var reader: LineReader
        fileprivate let encoding: String.Encoding

        /// Waits for the next line.
        ///
        /// - Returns: The line without its end, or `nil` behind the last.
        /// - Throws: ``NetworkError`` if the body breaks off or was read before, or `line-too-long`.
        public mutating func next() async throws -> String? {
            guard let line = try await reader.next() else { return nil }
            if encoding != .utf8, let text = String(data: line, encoding: encoding) { return text }
            return String(decoding: line, as: UTF8.self)
        }
    }
}

extension NetworkResponse {
    /// The encoding of the body's lines. UTF-16 has bytes that look like line ends and are none.
    fileprivate var lineEncoding: String.Encoding {
        switch textEncoding {
        case nil, .utf16, .utf16LittleEndian, .utf16BigEndian: .utf8
        case let encoding?: encoding
        }
    }
}
