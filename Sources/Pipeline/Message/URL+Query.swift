public import Foundation

extension URL {
    /// This URL with further query items.
    ///
    /// Items that are there already stay byte for byte and come first; a fragment stays. An empty query changes nothing.
    /// A relative URL is resolved against its base first.
    ///
    /// - Parameter query: The items to add; see ``Query`` for how they are encoded.
    public func appending(query: Query) -> URL {
        guard !query.isEmpty else { return self }
        let (address, old, fragment) = texts
        let joint = if old.isEmpty { "?" } else if old == "?" || old.hasSuffix("&") { "" } else { "&" }
        return rebuilt(address + old + joint + query.encoded + fragment)
    }

    /// This URL with a query that is encoded already behind its own.
    func appending(encodedQuery text: String) throws(MalformedValue) -> URL {
        guard !text.isEmpty else { return self }
        let (address, query, fragment) = absoluteURL.texts
        let front = query.isEmpty ? "?" : query == "?" ? query : query + "&"
        guard !text.contains("#"), let url = URL(exactly: address + front + text + fragment) else {
            throw MalformedValue(
                kind: "query",
                name: "…",
                reason: "it holds a character that no query may; encode it, or use query items, which are encoded"
            )
        }
        return url
    }
}

// A URL as text. Foundation's own editing re-encodes what it does not expect; here every byte stays.
extension URL {
    /// The URL of a text that is one as it stands (RFC 3986). Where `URL(string:)` would escape characters to make it one,
    /// this is `nil`.
    init?(exactly text: String) {
        // `URL(string:encodingInvalidCharacters:)` says the same, but not on the oldest systems that are supported.
        guard let url = URL(string: text), url.absoluteString.utf8.elementsEqual(text.utf8) else { return nil }
        self = url
    }

    /// What stands before the query, the query with its question mark, and the fragment with its number sign.
    var texts: (address: String, query: String, fragment: String) { Self.texts(of: absoluteString) }

    /// The same of a text that is a URL, or a reference to one.
    static func texts(of text: String) -> (address: String, query: String, fragment: String) {
        let (front, fragment) = cut(text, before: UInt8(ascii: "#"))
        let (address, query) = cut(front, before: UInt8(ascii: "?"))
        return (address, query, fragment)
    }

    /// The URL of a text that was made from this one by adding what is percent-encoded.
    func rebuilt(_ text: String) -> URL {
        guard let url = URL(string: text) else {
            preconditionFailure("adding what is percent-encoded keeps a URL a URL")
        }
        return url
    }

    /// The text before a byte, and the rest from that byte on.
    private static func cut(_ text: String, before byte: UInt8) -> (front: String, rest: String) {
        guard let place = text.firstPlace(of: byte) else { return (text, "") }
        return (String(text[..<place]), String(text[place...]))
    }
}
