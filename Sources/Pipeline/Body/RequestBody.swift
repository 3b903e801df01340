public import Foundation

/// What a request carries: nothing, bytes, a file, a stream, or parts, each of them one of these.
///
/// A value to encode is a body too: `NetworkRequest(method: .post, url: url, body: order)` takes any `Encodable` value, and
/// the engine encodes it at build with the encoder of the request or the network. So transports and actions only ever see
/// the others. <doc:Bodies> shows them all.
///
/// A body says whether it can be sent again (``isReplayable``). One that cannot is never sent twice: a retry or a redirect
/// that would need it is refused.
public struct RequestBody: Sendable {
    enum Content: Sendable {
        case bytes(Data)
        case file(URL)
        case stream(StreamedContent)
        /// A value, and the encoder that was chosen for it.
        case value(any Encodable & Sendable, (any BodyEncoder)?)
        case multipart(Multipart)
    }

    /// Most requests have no body, so all of it stands behind one reference.
    private final class Storage: Sendable {
        let content: Content
        let contentType: String?

        init(_ content: Content, contentType: String?) {
            self.content = content
            self.contentType = contentType
        }
    }

    private let storage: Storage?

    init(_ content: Content, contentType: String?) {
        storage = Storage(content, contentType: contentType)
    }

    private init() { storage = nil }

    var content: Content? { storage?.content }

    /// No body.
    public static let none = RequestBody()

    /// Bytes in memory.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - contentType: The media type, `application/octet-stream` unless told otherwise.
    public static func bytes(_ data: Data, contentType: String = "application/octet-stream") -> RequestBody {
        RequestBody(.bytes(data), contentType: contentType)
    }

    /// Text, as UTF-8.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - contentType: The media type, `text/plain; charset=utf-8` unless told otherwise.
    public static func text(_ text: String, contentType: String = "text/plain; charset=utf-8") -> RequestBody {
        RequestBody(.bytes(Data(text.utf8)), contentType: contentType)
    }

    /// A value that the engine encodes at build, with the encoder of the request or the network.
    ///
    /// `Data` is taken as it is, and an absent optional as no body.
    public static func value(_ value: some Encodable & Sendable) -> RequestBody {
        if let data = value as? Data { return .bytes(data) }
        if let optional = value as? any AbsentOrPresent, optional.isAbsent { return .none }
        return RequestBody(.value(value, nil), contentType: nil)
    }

    /// A value that is encoded at build with an encoder of its own, whatever the request and the network say.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: What encodes it; it brings the media type. What it throws is an `encoding-failed` error.
    public static func value(_ value: some Encodable & Sendable, encoder: any BodyEncoder) -> RequestBody {
        RequestBody(.value(value, encoder), contentType: nil)
    }

    /// Bytes that say nothing of their media type.
    static func untyped(_ data: Data) -> RequestBody { RequestBody(.bytes(data), contentType: nil) }

    /// The contents of a file, which are read while they are sent.
    ///
    /// A file that is missing or cannot be read is a `file-failed` error before anything is sent. One that changes while it is
    /// sent is one too, and its request is broken off. So is what is no plain file, such as a pipe, a device or a folder; what
    /// comes out of a pipe goes out as a ``stream(contentType:length:isReplayable:_:)``.
    ///
    /// - Parameters:
    ///   - url: Where the file is, or a link to it.
    ///   - contentType: The media type, `application/octet-stream` unless told otherwise.
    public static func file(_ url: URL, contentType: String = "application/octet-stream") -> RequestBody {
        RequestBody(.file(url), contentType: contentType)
    }

    /// A sequence of chunks, each a `Data` of any size, that are made while they are sent.
    ///
    /// ``URLSessionTransport`` has all of them made before it sends the first.
    ///
    /// - Parameters:
    ///   - contentType: The media type, `application/octet-stream` unless told otherwise.
    ///   - length: How many bytes all chunks will have together, if that is known; exactly so many are sent, or the request
    ///     fails. Without it the body goes out in chunked coding.
    ///   - isReplayable: Whether `makeChunks` gives the same bytes again when it is called again. `false` unless told
    ///     otherwise: then it is called once at most.
    ///   - makeChunks: Makes the sequence of chunks. For one of single bytes, gather them into chunks first.
    public static func stream<Chunks: AsyncSequence & SendableMetatype>(
        contentType: String = "application/octet-stream",
        length: Int? = nil,
        isReplayable: Bool = false,
        _ makeChunks: @escaping @Sendable () -> Chunks
    ) -> RequestBody where Chunks.Element == Data, Chunks.AsyncIterator: SendableMetatype {
        let content = StreamedContent(length: length, isReplayable: isReplayable) {
            nonisolated(unsafe) var iterator = makeChunks().makeAsyncIterator()  // One task pulls at a time.
            return RequestBodyChunks {
                if let chunk = try await iterator.next() { return chunk }
                // Many sequences simply end when their reader is cancelled. What came of such a body is not all of it.
                try Task.checkCancellation()
                return nil
            }
        }
        return RequestBody(.stream(content), contentType: contentType)
    }

    /// Whether there is nothing to send.
    public var isEmpty: Bool {
        switch content {
        case nil: true
        case .bytes(let data): data.isEmpty
        case .file, .stream, .value, .multipart: false
        }
    }

    /// The media type that goes into `Content-Type` if the request does not set it.
    public var contentType: String? { storage?.contentType }

    /// How many bytes there are; `nil` if that is not known, as for a file that is none or no plain one.
    public var length: Int? {
        switch content {
        case nil: 0
        case .bytes(let data): data.count
        case .file(let url): BodyFile.version(at: url)?.length
        case .stream(let content): content.length
        case .value: nil
        case .multipart(let multipart): multipart.length
        }
    }

    /// Whether the body can be sent again.
    public var isReplayable: Bool {
        switch content {
        case .stream(let content): content.isReplayable
        case .multipart(let multipart): multipart.isReplayable
        case nil, .bytes, .file, .value: true
        }
    }

    /// Whether the body can be sent now: it is replayable, or nobody has begun to read it.
    public var canBeSent: Bool {
        switch content {
        case .stream(let content): content.canBeRead
        case .multipart(let multipart): multipart.canBeSent
        case nil, .bytes, .file, .value: true
        }
    }

    /// The bytes, if they are in memory.
    public var data: Data? {
        if case .bytes(let data) = content { data } else { nil }
    }

    /// The file, if the body is one.
    public var file: URL? {
        if case .file(let url) = content { url } else { nil }
    }

    /// Begins to read the body, whatever it is made of. For transports, and actions that sign.
    ///
    /// - Throws: ``NetworkError`` `body-not-replayable` if the body can be read once only and that has begun, `file-failed`
    ///   if its file cannot be opened.
    public func makeChunks() throws -> RequestBodyChunks { try makeChunks(announcing: length) }

    /// Begins to read a body whose length was told before.
    func makeChunks(announcing length: Int?) throws -> RequestBodyChunks {
        switch content {
        case nil:
            return RequestBodyChunks { nil }
        case .bytes(let data):
            var rest: Data? = data.isEmpty ? nil : data
            return RequestBodyChunks {
                defer { rest = nil }; return rest
            }
        case .file(let url):
            return try RequestBodyChunks(contentsOf: url)
        case .stream(let content):
            return try content.makeChunks()
        case .multipart(let multipart):
            return try multipart.makeChunks(announcing: length)
        case .value:
            preconditionFailure("a value is encoded at build, before anybody reads the body")
        }
    }

    /// Whether there are values in it that still must be encoded.
    var isUnencoded: Bool {
        switch content {
        case .value: true
        case .multipart(let multipart): multipart.parts.contains { $0.body.isUnencoded }
        case nil, .bytes, .file, .stream: false
        }
    }

    /// The body with its values encoded; any other body as it is.
    func encoded(with encoder: any BodyEncoder) throws -> RequestBody {
        switch content {
        case .value(let value, let own):
            let encoder = own ?? encoder
            return .bytes(try encoder.encode(value), contentType: encoder.contentType)
        case .multipart(let multipart):
            return .multipart(try multipart.encoded(with: encoder))
        case nil, .bytes, .file, .stream:
            return self
        }
    }

    /// Refuses parts that would break the body up (``MalformedValue``) or whose file cannot be opened (`file-failed`).
    func check() throws {
        if case .multipart(let multipart) = content { try multipart.check() }
    }
}

/// Tells an absent optional behind an existential.
private protocol AbsentOrPresent {
    var isAbsent: Bool { get }
}

extension Optional: AbsentOrPresent {
    fileprivate var isAbsent: Bool { if case .none = self { true } else { false } }
}
