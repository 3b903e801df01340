public import Foundation

/// What came back: bytes, a file, or a stream.
///
/// Which of them is the request's choice (``NetworkRequest/delivery``). All three can be read with `for try await`, and with
/// ``collect(upTo:)``.
public struct ResponseBody: Sendable {
    enum Content: Sendable {
        case bytes(Data)
        case file(URL)
        case stream(BodyStream)
    }

    let content: Content

    /// No body.
    public static let empty = ResponseBody(content: .bytes(Data()))

    /// Bytes in memory.
    public static func bytes(_ data: Data) -> ResponseBody { ResponseBody(content: .bytes(data)) }

    /// A file that holds the body.
    public static func file(_ url: URL) -> ResponseBody { ResponseBody(content: .file(url)) }

    /// A body that is read while it arrives.
    public static func stream(_ stream: BodyStream) -> ResponseBody { ResponseBody(content: .stream(stream)) }

    /// The bytes, if they are in memory.
    public var data: Data? {
        if case .bytes(let data) = content { data } else { nil }
    }

    /// The file, if the body went to one.
    public var file: URL? {
        if case .file(let url) = content { url } else { nil }
    }

    /// The stream, if the body is one.
    public var stream: BodyStream? {
        if case .stream(let stream) = content { stream } else { nil }
    }

    /// Reads the whole body into memory.
    ///
    /// - Parameter limit: How many bytes at most; as many as there are unless told otherwise.
    /// - Throws: ``NetworkError`` if a stream breaks off or was read before, if the file cannot be read, or
    ///   `response-too-large`.
    public func collect(upTo limit: Int = .max) async throws(NetworkError) -> Data {
        let data: Data
        switch content {
        case .bytes(let bytes):
            data = bytes
        case .file(let url):
            do { data = try Data(contentsOf: url) } catch {
                throw NetworkError(.fileFailed, "the file of the body cannot be read", underlying: error)
            }
        case .stream(let stream):
            return try await stream.collect(upTo: limit)
        }
        guard data.count <= limit else {
            throw NetworkError(.responseTooLarge, "the body is larger than \(limit) bytes")
        }
        return data
    }

    /// How much of a body is read to keep its connection, rather than closed with it.
    private static let worthDraining = 64 * 1024

    /// Lets go of a body that nobody will read: a short one is read to its end so that the connection can be used again,
    /// any other is cut off. Nobody waits for it.
    func discard() {
        guard case .stream(let stream) = content else { return }
        // A connection that has left HTTP carries no other request.
        guard stream.connection == nil, (stream.expectedLength ?? 0) <= Self.worthDraining else {
            return stream.end(with: .abandoned)
        }
        Task {
            _ = try? await stream.collect(upTo: Self.worthDraining)
            stream.end(with: .abandoned)
        }
    }
}

extension ResponseBody: AsyncSequence {
    public typealias Element = Data

    /// Begins to read the body.
    public func makeAsyncIterator() -> Iterator {
        switch content {
        case .bytes(let data):
            Iterator(kind: .chunks(RequestBody.bytes(data)))
        case .file(let url):
            Iterator(kind: .chunks(RequestBody.file(url)))
        case .stream(let stream):
            Iterator(kind: .stream(stream.makeAsyncIterator()))
        }
    }

    /// Reads a ``ResponseBody``.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate enum Kind {
            case chunks(RequestBody)
            case reading(RequestBodyChunks)
            case stream(BodyStream.Iterator)
        }

        fileprivate var kind: Kind

        /// Waits for the next chunk.
        ///
        /// - Returns: The chunk, never empty, or `nil` at the end.
        /// - Throws: ``NetworkError`` if the body breaks off, cannot be read, or was read before.
        public mutating func next() async throws -> Data? {
            try await nextChunk()
        }

        mutating func nextChunk() async throws(NetworkError) -> Data? {
            do {
                if case .chunks(let body) = kind { kind = .reading(try body.makeChunks()) }
                switch kind {
                case .chunks: return nil
                case .reading(var chunks): return try await chunks.next()
                case .stream(var iterator): return try await iterator.nextChunk()
                }
            } catch {
                throw error.networkError
                    ?? NetworkError(.fileFailed, "the file of the body cannot be read", underlying: error)
            }
        }
    }
}
