public import Foundation

extension LoopbackReply {
    /// JSON text as it stands, with the type `application/json`.
    public static func json(
        _ text: String,
        status: Int = 200,
        headers: KeyValuePairs<String, String> = [:]
    ) -> LoopbackReply {
        whole(status, [("Content-Type", "application/json")], headers, Data(text.utf8))
    }

    /// Plain text in UTF-8.
    public static func text(
        _ text: String,
        status: Int = 200,
        headers: KeyValuePairs<String, String> = [:]
    ) -> LoopbackReply {
        whole(status, [("Content-Type", "text/plain; charset=utf-8")], headers, Data(text.utf8))
    }

    /// A status with these header fields and this body.
    ///
    /// `Content-Length` is added unless `headers` frame the body themselves or the status allows none (1xx, 204, 304).
    /// No type is added.
    public static func status(
        _ status: Int,
        headers: KeyValuePairs<String, String> = [:],
        body: Data = Data()
    ) -> LoopbackReply {
        whole(status, [], headers, body)
    }

    /// A status with these header fields and this text, in UTF-8, as body.
    public static func status(
        _ status: Int,
        headers: KeyValuePairs<String, String> = [:],
        body: String
    ) -> LoopbackReply {
        whole(status, [], headers, Data(body.utf8))
    }

    /// A status without a body: 204 unless told otherwise.
    public static func empty(_ status: Int = 204, headers: KeyValuePairs<String, String> = [:]) -> LoopbackReply {
        whole(status, [], headers, Data())
    }

    /// A redirect. The location is sent as it stands, so it may be relative, of another scheme, or nonsense.
    public static func redirect(
        to location: String,
        status: Int = 302,
        headers: KeyValuePairs<String, String> = [:]
    ) -> LoopbackReply {
        whole(status, [("Location", location)], headers, Data())
    }

    /// Exactly these bytes, head included. Add `.then(.close)` where only the end of the stream ends the body.
    public static func raw(_ bytes: Data) -> LoopbackReply {
        [.bytes(bytes)]
    }

    /// Exactly this text, head included. It is not translated: write `\r\n` for line ends.
    ///
    /// - Parameters:
    ///   - text: Status line, fields and body.
    ///   - encoding: How characters become bytes: UTF-8 unless told otherwise, `.isoLatin1` for the fields of old servers.
    /// - Returns: The reply.
    /// - Precondition: The encoding can express the text.
    public static func raw(_ text: String, encoding: String.Encoding = .utf8) -> LoopbackReply {
        guard let bytes = text.data(using: encoding) else {
            preconditionFailure("the raw reply has a character that \(encoding) cannot express")
        }
        return raw(bytes)
    }

    /// A chunked body (RFC 9112, section 7.1), one chunk for each element, ended properly.
    public static func chunked(
        _ chunks: [String],
        status: Int = 200,
        headers: KeyValuePairs<String, String> = [:],
        trailers: KeyValuePairs<String, String> = [:]
    ) -> LoopbackReply {
        let head = LoopbackResponseHead(
            status: status,
            headers: headers.map { ($0.key, $0.value) } + [("Transfer-Encoding", "chunked")]
        )
        let body = chunks.map { LoopbackStep.chunk($0) }
        return LoopbackReply([LoopbackStep(kind: .head(head))] + body + [.lastChunk(trailers: trailers)])
    }

    /// A body of the same bytes `count` times, with the right `Content-Length`, generated while it is sent.
    public static func repeating(
        _ bytes: Data,
        count: Int,
        status: Int = 200,
        headers: KeyValuePairs<String, String> = [:]
    ) -> LoopbackReply {
        let fields = headers.map { ($0.key, $0.value) } + [("Content-Length", String(bytes.count * count))]
        return [
            LoopbackStep(kind: .head(LoopbackResponseHead(status: status, headers: fields))),
            .repeating(bytes, count: count),
        ]
    }

    /// No answer at all: the connection stays open and silent until the client leaves or the server is stopped.
    public static var never: LoopbackReply {
        [.wait(LoopbackGate())]
    }

    private static func whole(
        _ status: Int,
        _ own: [(name: String, value: String)],
        _ headers: KeyValuePairs<String, String>,
        _ body: Data
    ) -> LoopbackReply {
        let given = headers.map { (name: $0.key, value: $0.value) }
        var fields = own.filter { field in !given.contains { $0.name.equalsIgnoringCase(field.name) } } + given
        let isFramed = given.contains {
            $0.name.equalsIgnoringCase("Content-Length") || $0.name.equalsIgnoringCase("Transfer-Encoding")
        }
        let allowsBody = status >= 200 && status != 204 && status != 304
        if !isFramed && allowsBody {
            fields.append(("Content-Length", String(body.count)))
        }
        let head = LoopbackStep(kind: .head(LoopbackResponseHead(status: status, headers: fields)))
        return body.isEmpty ? [head] : [head, .bytes(body)]
    }
}
