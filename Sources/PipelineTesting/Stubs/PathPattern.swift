public import Foundation

/// A pattern for the path of a URL: `/todos/{id}`.
///
/// A segment in braces takes one segment, whatever it is, and captures it under its name. `*` takes one segment and `**` any
/// number, none included. Everything else is plain text and must be equal. The pattern stands for the whole path, that of the base
/// URL included; `**/todos` leaves open what comes before. A slash at the end makes another path.
public struct PathPattern: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    private enum Segment: Sendable, Hashable {
        case text(String)
        case capture(String)
        case any
        case rest
    }

    /// The pattern as it was written.
    public let description: String

    private let segments: [Segment]

    /// Creates a pattern.
    public init(_ pattern: String) {
        description = pattern
        segments = Self.split(pattern).map { segment in
            switch segment {
            case "*": .any
            case "**": .rest
            case _ where segment.hasPrefix("{") && segment.hasSuffix("}"):
                .capture(String(segment.dropFirst().dropLast()))
            default: .text(String(segment))
            }
        }
    }

    /// Creates a pattern from a literal.
    public init(stringLiteral value: String) { self.init(value) }

    /// What the pattern captures of the path of a URL, decoded; `nil` if it does not match.
    public func captures(in url: URL) -> [String: String]? {
        let path = Self.split(url.path(percentEncoded: true)).map { $0.removingPercentEncoding ?? String($0) }
        return Self.match(segments[...], path[...])
    }

    private static func match(_ pattern: ArraySlice<Segment>, _ path: ArraySlice<String>) -> [String: String]? {
        guard let segment = pattern.first else { return path.isEmpty ? [:] : nil }
        if segment == .rest {
            // The fewest segments that let the remainder match.
            for count in 0...path.count {
                if let captures = match(pattern.dropFirst(), path.dropFirst(count)) { return captures }
            }
            return nil
        }
        guard let text = path.first, let captures = match(pattern.dropFirst(), path.dropFirst()) else { return nil }
        switch segment {
        case .text(let expected): return text == expected ? captures : nil
        case .any, .rest: return text.isEmpty ? nil : captures
        case .capture(let name): return text.isEmpty ? nil : captures.merging([name: text]) { first, _ in first }
        }
    }

    /// The segments behind the first slash. `/` and nothing are the same path.
    private static func split(_ path: String) -> [Substring] {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return Array(parts.first?.isEmpty == true && parts.count > 1 ? parts.dropFirst() : parts[...])
    }
}
