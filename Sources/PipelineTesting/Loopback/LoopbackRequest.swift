public import Foundation

/// One request as a ``LoopbackServer`` received it.
///
/// Nothing is tidied up: names keep their spelling, fields their order, and ``target`` the very text of the request
/// line. What a server application would work with stands beside it: ``path``, ``query``, the decoded ``body``.
public struct LoopbackRequest: Sendable, CustomStringConvertible {
    /// The method as sent, such as `GET`. Empty only in the placeholder that ``LoopbackServer/nextRequest()`` returns
    /// when it was cancelled or the server was stopped.
    public let method: String

    /// The request target exactly as it stood in the request line: `/a%20b?x=1`, `http://host/a` when sent to a proxy,
    /// `host:443` with CONNECT, or `*`.
    public let target: String

    /// The header fields in the order and spelling in which they came. A value that is not UTF-8 is read as Latin-1.
    public let headers: [(name: String, value: String)]

    /// The body without its transfer coding. Empty if the server was told not to read or not to keep it.
    public internal(set) var body = Data()

    /// How many bytes of body arrived, also when they were not kept.
    public internal(set) var bodyByteCount = 0

    /// The trailer fields that followed a chunked body, in order.
    public internal(set) var trailers: [(name: String, value: String)] = []

    /// Whether the body came in the chunked transfer coding (RFC 9112, section 7.1).
    public let isChunked: Bool

    /// Whether the request was answered before its body had been read; see ``LoopbackServer/handleHead(_:_:_:)``.
    public internal(set) var hasUnreadBody = false

    /// The connection that carried the request: the ``LoopbackConnection/id`` in ``LoopbackServer/connections``.
    public let connectionID: Int

    /// How many requests came before this one on the same connection. Zero means that the connection was new.
    public let index: Int

    /// What stood in the places that the handler's path pattern names: `["id": "7"]` for `/users/:id`.
    ///
    /// Values are percent-decoded, after the path was split: a `%2F` inside a segment does not end it. The part that
    /// a final `*` stands for has the name `*`. Empty in ``LoopbackServer/requests``, since no handler was chosen yet.
    public internal(set) var parameters: [String: String] = [:]

    init(head: LoopbackRequestHead, connectionID: Int, index: Int) {
        method = head.method
        target = head.target
        headers = head.headers
        isChunked = head.framing == .chunked
        self.connectionID = connectionID
        self.index = index
    }

    /// The request that stands for none, see ``method``.
    static let placeholder = LoopbackRequest(head: LoopbackRequestHead(), connectionID: 0, index: 0)

    /// The path, percent-decoded, without the query. Left as it came if its percent-encoding is broken.
    public var path: String {
        let raw = rawPath
        return raw.utf8.contains(UInt8(ascii: "%")) ? raw.removingPercentEncoding ?? raw : raw
    }

    /// What follows the first `?` of the target, not decoded. Nil without a `?`, empty with nothing behind it.
    public var query: String? {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        return String(target[target.utf8.index(after: mark)...])
    }

    /// The values of every field with this name, in order. Letter case does not matter (RFC 9110, section 5.1).
    public func values(of name: String) -> [String] {
        headers.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
    }

    /// The value of the first field with this name, in any letter case, or nil.
    public func first(of name: String) -> String? {
        headers.first { $0.name.equalsIgnoringCase(name) }?.value
    }

    /// The body read as UTF-8, with replacement characters where it is not.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// The request line, the names of the fields and the size of the body.
    public var description: String {
        "\(method) \(target) [\(headers.map(\.name).joined(separator: ", "))], \(bodyByteCount) bytes"
    }

    /// The path of the target in origin form or absolute form (RFC 9112, section 3.2), still encoded.
    var rawPath: String {
        let end = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        if target.utf8.first == UInt8(ascii: "/") {
            return end == target.endIndex ? target : String(target[..<end])
        }
        guard let scheme = target.range(of: "://"), scheme.upperBound <= end else { return String(target[..<end]) }
        let slash = target[scheme.upperBound..<end].utf8.firstIndex(of: UInt8(ascii: "/")) ?? end
        return slash == end ? "/" : String(target[slash..<end])
    }
}

extension String {
    /// Whether both are the same but for the case of ASCII letters, which is what field names compare by.
    func equalsIgnoringCase(_ other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { $0 == $1 || ($0.asciiLowercase == $1.asciiLowercase) }
    }
}

extension UInt8 {
    fileprivate var asciiLowercase: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
