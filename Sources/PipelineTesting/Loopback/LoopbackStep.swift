public import Foundation

/// One thing that a ``LoopbackServer`` does while it answers: send something, wait, or end the connection.
///
/// The steps of a ``LoopbackReply`` are played in order. Bytes of neighbouring steps are sent in one write; a ``delay(_:)``,
/// a ``wait(_:)`` or the end of the reply sends what has gathered. So a client sees the parts of a body apart only if
/// something stands between them.
public struct LoopbackStep: Sendable, CustomStringConvertible {
    enum Kind: Sendable {
        case head(LoopbackResponseHead)
        case interim(LoopbackResponseHead)
        case bytes(Data)
        case repeating(Data, count: Int)
        case chunk(Data)
        case lastChunk(trailers: [(name: String, value: String)])
        case delay(Duration)
        case wait(LoopbackGate)
        case converse(@Sendable (LoopbackStream) throws -> Void)
        case close
        case reset
        case keepOpen
    }

    let kind: Kind

    // MARK: Sending

    /// Sends a status line and these header fields, nothing added.
    ///
    /// Only `Connection: close` is added where the server is going to close. Say how the body is framed: with
    /// `Content-Length`, with `Transfer-Encoding: chunked` before ``chunk(_:)-(Data)`` steps, or not at all before
    /// a ``close``.
    public static func head(_ status: Int, headers: KeyValuePairs<String, String> = [:]) -> LoopbackStep {
        LoopbackStep(kind: .head(LoopbackResponseHead(status: status, headers: headers.map { ($0.key, $0.value) })))
    }

    /// Sends an interim response, such as `.interim(100)` or `.interim(103, headers: ["Link": "</a.css>"])`, at once.
    public static func interim(_ status: Int, headers: KeyValuePairs<String, String> = [:]) -> LoopbackStep {
        LoopbackStep(kind: .interim(LoopbackResponseHead(status: status, headers: headers.map { ($0.key, $0.value) })))
    }

    /// Sends exactly these bytes. What follows a ``head(_:headers:)`` is left out in the answer to a HEAD request.
    public static func bytes(_ bytes: Data) -> LoopbackStep { LoopbackStep(kind: .bytes(bytes)) }

    /// Sends exactly this text in UTF-8.
    public static func bytes(_ text: String) -> LoopbackStep { .bytes(Data(text.utf8)) }

    /// Sends the same bytes `count` times without ever holding them all: a gigabyte takes no more memory than a kilobyte.
    public static func repeating(_ bytes: Data, count: Int) -> LoopbackStep {
        LoopbackStep(kind: .repeating(bytes, count: count))
    }

    /// Sends one chunk of the chunked transfer coding: size line, bytes, line end. Empty data sends nothing, since an
    /// empty chunk would end the body; that is ``lastChunk(trailers:)``.
    public static func chunk(_ bytes: Data) -> LoopbackStep { LoopbackStep(kind: .chunk(bytes)) }

    /// Sends this text in UTF-8 as one chunk.
    public static func chunk(_ text: String) -> LoopbackStep { .chunk(Data(text.utf8)) }

    /// Ends a chunked body, with these trailer fields.
    public static func lastChunk(trailers: KeyValuePairs<String, String> = [:]) -> LoopbackStep {
        LoopbackStep(kind: .lastChunk(trailers: trailers.map { ($0.key, $0.value) }))
    }

    /// The end of a chunked body without trailer fields.
    public static var lastChunk: LoopbackStep { .lastChunk() }

    // MARK: Waiting

    /// Sends what has gathered, then pauses for this long in real time. A client that hangs up ends the pause.
    public static func delay(_ duration: Duration) -> LoopbackStep { LoopbackStep(kind: .delay(duration)) }

    /// Sends what has gathered, then waits until the gate is open. A client that hangs up ends the wait.
    public static func wait(_ gate: LoopbackGate) -> LoopbackStep { LoopbackStep(kind: .wait(gate)) }

    // MARK: Taking over

    /// Hands the connection to `body`, which reads and writes as it likes on the connection's own thread: for
    /// protocols that take over after a 101, tunnels after CONNECT, or a dialogue no other step can express.
    ///
    /// The reply goes on with the next step when `body` returns. An error thrown out of it ends the connection.
    public static func converse(_ body: @escaping @Sendable (LoopbackStream) throws -> Void) -> LoopbackStep {
        LoopbackStep(kind: .converse(body))
    }

    // MARK: Describing

    /// What the step does, in the words of the factory that made it; bytes are counted, not shown.
    public var description: String {
        switch kind {
        case .head(let head): "head(\(head.status))"
        case .interim(let head): "interim(\(head.status))"
        case .bytes(let data): "bytes(\(data.count))"
        case .repeating(let data, let count): "repeating(\(data.count), count: \(count))"
        case .chunk(let data): "chunk(\(data.count))"
        case .lastChunk: "lastChunk"
        case .delay(let duration): "delay(\(duration))"
        case .wait: "wait"
        case .converse: "converse"
        case .close: "close"
        case .reset: "reset"
        case .keepOpen: "keepOpen"
        }
    }

    // MARK: Ending

    /// Closes the connection in an orderly way: the client reads everything sent so far, then the end of the stream.
    /// Further steps are not played.
    public static var close: LoopbackStep { LoopbackStep(kind: .close) }

    /// Resets the connection (a TCP RST): the client sees an error, and may lose what was sent before.
    /// Further steps are not played.
    public static var reset: LoopbackStep { LoopbackStep(kind: .reset) }

    /// Keeps the connection open after this reply, whatever request and reply said about it, and reads on. What was
    /// not read of the request's body is read and dropped first.
    public static var keepOpen: LoopbackStep { LoopbackStep(kind: .keepOpen) }
}
