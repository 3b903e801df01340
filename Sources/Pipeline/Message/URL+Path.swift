public import Foundation

extension URL {
    /// This URL with a path appended to its own.
    ///
    /// There is one rule: the segments of `path` are appended to those of the base. So `users`, `/users` and either base,
    /// with and without a slash at its end, give the same. The base's query and fragment stay, an empty path changes
    /// nothing, one slash at the end is kept. Each segment is plain text and is encoded once, a percent sign too.
    ///
    /// - Throws: ``MalformedValue`` for what would lead elsewhere or was meant otherwise: a `?` or `#` (use
    ///   ``appending(query:)``), a scheme, two slashes at the beginning, an empty segment, `.` and `..`.
    public func joining(_ path: String) throws(MalformedValue) -> URL {
        func malformed(_ reason: String) -> MalformedValue { MalformedValue(kind: "path", name: path, reason: reason) }
        guard !path.contains("?"), !path.contains("#") else {
            throw malformed(
                "a path has no ? or #; add query items with appending(query:), data with appending(segments:)"
            )
        }
        guard !path.contains("://"), !path.hasPrefix("//") else {
            throw malformed("it names another host; build the request on that URL instead")
        }
        var segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if segments.first == "" { segments.removeFirst() }
        if segments == [""] { return self }  // "/" alone says no more than the base does.
        return try appending(segments: segments)
    }

    /// This URL with segments appended to its path.
    ///
    /// Each segment is data: a slash, a question mark, a number sign or a percent sign in it is encoded. An empty last
    /// segment stands for a slash at the end. Query and fragment stay.
    ///
    /// - Throws: ``MalformedValue`` for `.`, `..` and an empty segment that is not the last, which servers read as other
    ///   paths.
    public func appending(segments: String...) throws(MalformedValue) -> URL {
        try appending(segments: segments)
    }

    /// This URL with segments appended to its path.
    ///
    /// Each segment is data: a slash, a question mark, a number sign or a percent sign in it is encoded. An empty last
    /// segment stands for a slash at the end. Query and fragment stay.
    ///
    /// - Throws: ``MalformedValue`` for `.`, `..` and an empty segment that is not the last, which servers read as other
    ///   paths.
    public func appending(segments: [String]) throws(MalformedValue) -> URL {
        guard !segments.isEmpty else { return self }
        for (position, segment) in segments.enumerated() {
            let isEmptyInside = segment.isEmpty && (position < segments.count - 1 || segments.count == 1)
            guard segment != ".", segment != "..", !isEmptyInside else {
                throw MalformedValue(
                    kind: "path segment",
                    name: segments.joined(separator: "/"),
                    reason: "an empty segment, \".\" and \"..\" lead to other paths"
                )
            }
        }
        let (address, fragment) = absoluteString.cut(before: "#")
        let (front, query) = address.cut(before: "?")
        let base = front.hasSuffix("/") ? String(front.dropLast()) : front
        let path = segments.map { $0.percentEncoded(keeping: Self.barePathCharacters) }.joined(separator: "/")
        return rebuilt("\(base)/\(path)\(query)\(fragment)")
    }

    /// What a segment may hold as it is beside the unreserved characters (RFC 3986, section 3.3), but for `+`, which some
    /// servers read as a space.
    private static let barePathCharacters = "!$&'()*,;=:@"
}
