import Foundation

/// The path of an ``Endpoint`` below its base URL, in which values are data.
///
///     "todos"
///     "users/\(name)/files/\(file).json"
///
/// Slashes that are written out part segments. What is put in by `\(…)` stays within its segment: a slash, a question mark
/// or a percent sign in it is encoded, once, so that no value leads to another path. A text that holds slashes on purpose
/// goes in by ``init(_:)``, or by `\(path:)`.
public struct EndpointPath: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// Segments as plain text; one that was written out is checked for signs that do not belong in a path.
    private var segments: [String] = [""]
    private var writtenOut: [String] = []

    /// Takes segments with slashes between them, as plain text, by the rule of `URL.joining(_:)`.
    public init(_ path: String) { append(writtenOut: path) }

    /// Takes a path that is written out.
    public init(stringLiteral value: String) { self.init(value) }

    /// Takes a path with values in it.
    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.path }

    private init() {}

    /// Takes segments, each of which is data: a slash in it is encoded.
    public init(segments: String...) { self.segments = segments }

    /// Takes segments, each of which is data: a slash in it is encoded.
    public init(segments: [String]) { self.segments = segments }

    private mutating func append(writtenOut text: String) {
        writtenOut.append(text)
        // Bytes, since a slash with a combining accent behind it is one character, but still a slash.
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        append(data: String(Substring(parts[0])))
        segments += parts.dropFirst().map { String(Substring($0)) }
    }

    private mutating func append(data: String) {
        segments[segments.count - 1] += data
    }

    /// This path on a base URL.
    ///
    /// - Throws: ``MalformedValue`` for a `?` or `#` that is written out, for a host, and for segments that lead to another
    ///   path: `.`, `..`, and empty ones but the last.
    func url(on base: URL) throws(MalformedValue) -> URL {
        for text in writtenOut { try URL.checkPath(text) }
        let begins = segments.count > 1 && segments[0].isEmpty ? segments.dropFirst() : segments[...]
        if begins.allSatisfy(\.isEmpty), begins.count <= 1 { return base }
        return try base.appending(segments: Array(begins))
    }

    /// Gathers what a literal is made of.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var path = EndpointPath()

        /// Begins an empty path.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Takes what is written out.
        public mutating func appendLiteral(_ literal: String) { path.append(writtenOut: literal) }

        /// Takes a value as data within its segment.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            path.append(data: value.description)
        }

        /// Takes segments with slashes between them, as plain text.
        public mutating func appendInterpolation(path: String) { self.path.append(writtenOut: path) }
    }
}
