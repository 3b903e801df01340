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
        let segments = path.utf8.first == Self.slash ? String(path.utf8.dropFirst()) ?? path : path
        guard !segments.isEmpty else { return self }
        return try appending(encodedSegments: segments.percentEncoded { $0 == Self.slash || Self.isBareInPaths($0) })
    }

    /// Refuses what is more than a path.
    static func checkPath(_ path: String) throws(MalformedValue) {
        if let sign = path.firstPlace(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
            throw MalformedValue(
                kind: "path",
                name: Self.printableAddress(String(path[..<sign])) + "\(path.unicodeScalars[sign])…",
                reason: "a path has no ? or #; use query items, appending(query:), or for data appending(segments:)"
            )
        }
        guard !path.utf8.starts(with: "//".utf8), !Self.startsWithScheme(path) else {
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
        guard !segments.isEmpty else { return self }
        let encoded = segments.map { $0.percentEncoded(keeping: Self.isBareInPaths) }
        return try appending(encodedSegments: encoded.joined(separator: "/"))
    }

    /// - Parameter segments: One segment or more, percent-encoded, with slashes between them.
    private func appending(encodedSegments segments: String) throws(MalformedValue) -> URL {
        try Self.checkSegments(segments)
        var text = absoluteString
        let end = text.firstPlace { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? text.endIndex
        let address = text[..<end].utf8
        let isSlashThere = address.last == Self.slash && !Self.endsWithAuthorityMark(address)
        text.insert(contentsOf: isSlashThere ? segments : "/" + segments, at: end)
        return rebuilt(text)
    }

    /// Refuses segments that lead to another path. Percent-encoding neither makes nor hides one.
    private static func checkSegments(_ text: String) throws(MalformedValue) {
        guard let position = text.withBytes(positionLeadingElsewhere) else { return }
        let segments = text.utf8.split(separator: slash, omittingEmptySubsequences: false)
        throw MalformedValue(
            kind: "path segment",
            name: String(Substring(segments[position])),
            reason: "segment \(position + 1) of \(segments.count) leads to another path, as \".\", \"..\" and "
                + "empty segments do"
        )
    }

    /// The position of the first segment that is `.`, `..` or empty. An empty one at the end, after others, is only a slash.
    private static func positionLeadingElsewhere(in path: UnsafeBufferPointer<UInt8>) -> Int? {
        var position = 0
        var length = 0
        var dots = 0
        for byte in path {
            if byte == slash {
                if dots == length, length <= 2 { return position }
                position += 1
                (length, dots) = (0, 0)
            } else {
                length += 1
                if byte == UInt8(ascii: ".") { dots += 1 }
            }
        }
        let isSlashAtEnd = length == 0 && position > 0
        return dots == length && length <= 2 && !isSlashAtEnd ? position : nil
    }

    /// `http://` without a host, whose slashes belong to no path.
    private static func endsWithAuthorityMark(_ address: Substring.UTF8View) -> Bool {
        address.reversed().starts(with: "//:".utf8)
    }

    private static let slash = UInt8(ascii: "/")

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
        guard let colon = path.firstPlace(of: UInt8(ascii: ":")) else { return false }
        return path.utf8[colon...].starts(with: "://".utf8) && path.utf8[..<colon].allSatisfy(isSchemeByte)
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        HTTPSyntax.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
    }
}
