public import Foundation

/// Reads events out of a `text/event-stream` that comes in pieces, wherever the pieces are cut (HTML Standard, section 9.2.6).
///
///     var parser = ServerSentEventParser()
///     parser.append(chunk)
///     while let event = try parser.next() { handle(event) }
///
/// ``Network/events(of:lastEventID:reconnection:upTo:)`` does this and keeps the connection; the parser alone is for streams
/// that come another way. An event that has not ended when the stream does is none: let go of the parser then.
public struct ServerSentEventParser: Sendable {
    private let limit: Int
    private var lines: LineSplitter
    private var type = ""
    /// The lines of the event so far, each with a line feed.
    private var data = Data()
    private var givenID: String

    /// The last identifier that came with an event that has ended: what a client that comes back sends as `Last-Event-ID`.
    public private(set) var lastEventID: String

    /// How long a client is to wait before it comes back, as the server has said it last; `nil` if it has not.
    public private(set) var retry: Duration?

    /// Creates a parser for one connection.
    ///
    /// - Parameters:
    ///   - lastEventID: Where the stream goes on. Events without an identifier of their own have this one, as in browsers; so a
    ///     second drop does not begin the stream anew.
    ///   - limit: How long a line, and the data of an event, can be, in bytes: 1 MiB unless told otherwise.
    public init(lastEventID: String = "", upTo limit: Int = 1 << 20) {
        self.limit = limit
        self.lastEventID = lastEventID
        givenID = lastEventID
        lines = LineSplitter(limit: limit)
    }

    /// Adds bytes. Take the events of those before first.
    public mutating func append(_ chunk: Data) {
        lines.append(chunk)
    }

    /// Takes the next event that has ended.
    ///
    /// - Returns: The event; `nil` if more bytes are needed.
    /// - Throws: ``NetworkError`` `line-too-long` if a line or the data of an event is. Nothing can be read after it.
    public mutating func next() throws(NetworkError) -> ServerSentEvent? {
        while let line = try nextLine() {
            if line.isEmpty {
                if let event = dispatch() { return event }
            } else {
                try read(line)
            }
        }
        return nil
    }

    private mutating func nextLine() throws(NetworkError) -> Data? {
        do { return try lines.next() } catch {
            throw NetworkError(.lineTooLong, "line \(error.number) of the events is longer than \(limit) bytes")
        }
    }

    /// Reads a field. A line that begins with a colon has an empty name, and so is a comment.
    private mutating func read(_ line: Data) throws(NetworkError) {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(name.count + 1)
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: name, as: UTF8.self) {
        case "event":
            type = String(decoding: value, as: UTF8.self)
        case "data":
            guard value.count < limit - data.count else {
                throw NetworkError(.lineTooLong, "an event is longer than \(limit) bytes")
            }
            data += value
            data.append(UInt8(ascii: "\n"))
        case "id":
            if !value.contains(0) { givenID = String(decoding: value, as: UTF8.self) }
        case "retry":
            guard !value.isEmpty, value.allSatisfy(HTTPSyntax.isDigit) else { return }
            retry = .milliseconds(Int64(String(decoding: value, as: UTF8.self)) ?? .max)
        default:
            return
        }
    }

    /// Ends an event. One without data is none, yet its identifier counts.
    private mutating func dispatch() -> ServerSentEvent? {
        defer {
            type = ""
            data = Data()
        }
        lastEventID = givenID
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            type: type.isEmpty ? "message" : type,
            data: String(decoding: data.dropLast(), as: UTF8.self),
            lastEventID: lastEventID
        )
    }
}
