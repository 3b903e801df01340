public import Foundation

extension URL {
    /// This URL with a path appended to its own.
    ///
    /// There is one rule: the segments of `path` are appended to those of the base. So `users`, `/users` and either base,
    /// with and without a slash at its end, give the same:
    ///
    ///     URL(string: "https://example.com/api/v1")!.joining("/users")    // https://example.com/api/v1/users
    ///
    /// The base's own bytes stay, with its query and fragment. One slash at the end of `path` is kept. A `path` that is empty
    /// or `/` has no segment and changes nothing. Each segment is plain text and is encoded once, a percent sign too; a
    /// segment that may itself hold a slash goes into ``appending(segments:)-([String])``.
    ///
    /// - Parameter path: Segments with slashes between them, as plain text.
    /// - Throws: ``MalformedValue`` for what would lead elsewhere or was meant otherwise: a `?` or `#` (use
    ///   ``appending(query:)``), a scheme, two slashes at the beginning, an empty segment, `.` and `..`.
    public func joining(_ path: String) throws(MalformedValue) -> URL {
        try Self.checkPath(path)
        // Bytes, since a slash with a combining accent behind it is one character, but still a slash.
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let segments = parts.count > 1 && parts[0].isEmpty ? parts.dropFirst() : parts[...]
        if segments.count == 1, segments.allSatisfy(\.isEmpty) { return self }
        return try appending(texts: segments.map { Substring($0) })
    }

    /// Refuses what is more than a path.
    static func checkPath(_ path: String) throws(MalformedValue) {
        let bytes = path.utf8
        if let sign = bytes.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
            throw MalformedValue(
                kind: "path",
                name: Self.printableAddress(String(path[..<sign])) + "\(path.unicodeScalars[sign])…",
                reason: "a path has no ? or #; use query items, appending(query:), or for data appending(segments:)"
            )
        }
        guard !bytes.starts(with: "//".utf8), !Self.startsWithScheme(path) else {
            throw MalformedValue(
                kind: "path",
                name: Self.printableAddress(path),
                reason: "it names another host; build the request on that URL instead"
            )
        }
    }

    /// This URL with segments appended to its path.
    ///
    ///     try base.appending(segments: "files", name)    // a name such as "a/b?.txt" makes …/files/a%2Fb%3F.txt
    ///
    /// The same as ``appending(segments:)-([String])``.
    ///
    /// - Throws: ``MalformedValue`` for `.`, `..` and an empty segment that is not the last.
    public func appending(segments: String...) throws(MalformedValue) -> URL {
        try appending(segments: segments)
    }

    /// This URL with segments appended to its path.
    ///
    /// Each segment is data: a slash, a question mark, a number sign or a percent sign in it is encoded, once. An empty last
    /// segment after others stands for a slash at the end. The base's own bytes stay, with its query and fragment. No segment
    /// at all changes nothing.
    ///
    /// - Parameter segments: The segments, as plain text.
    /// - Throws: ``MalformedValue`` for `.`, `..` and an empty segment that is not the last, or the only one: all lead to
    ///   other paths (RFC 3986, section 5.2.4), and no encoding keeps them from it.
    public func appending(segments: [String]) throws(MalformedValue) -> URL {
        try appending(texts: segments)
    }

    private func appending(texts segments: [some StringProtocol]) throws(MalformedValue) -> URL {
        guard !segments.isEmpty else { return self }
        for (position, segment) in segments.enumerated() {
            let isLastSlash = position > 0 && position == segments.count - 1
            guard segment != ".", segment != "..", !segment.isEmpty || isLastSlash else {
                throw MalformedValue(
                    kind: "path segment",
                    name: String(segment),
                    reason: "segment \(position + 1) of \(segments.count) leads to another path, as \".\", \"..\" and "
                        + "empty segments do"
                )
            }
        }
        let (address, query, fragment) = texts
        var text = address
        if text.utf8.last != UInt8(ascii: "/") || Self.endsWithAuthorityMark(text) { text += "/" }
        for (position, segment) in segments.enumerated() {
            if position > 0 { text += "/" }
            text += segment.percentEncoded(keeping: Self.isBareInPaths)
        }
        return rebuilt(text + query + fragment)
    }

    /// What a segment may hold as it is beside the unreserved characters (RFC 3986, section 3.3), but for `+`, which some
    /// servers read as a space.
    private static func isBareInPaths(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="),
            UInt8(ascii: ":"), UInt8(ascii: "@"):
            true
        default: false
        }
    }

    /// Whether a scheme and an authority begin the text (RFC 3986, section 3).
    private static func startsWithScheme(_ path: String) -> Bool {
        guard let colon = path.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return path.utf8[colon...].starts(with: "://".utf8) && path.utf8[..<colon].allSatisfy(isSchemeByte)
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        HTTPSyntax.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
    }

    /// `http://` without a host, whose slashes belong to no path.
    private static func endsWithAuthorityMark(_ address: String) -> Bool {
        address.utf8.reversed().starts(with: "//:".utf8)
    }
}
