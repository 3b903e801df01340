/// A set of statuses, for those that a request accepts.
///
///     request.acceptableStatuses = [200, 404]
///     request.acceptableStatuses = .success.union([304])
public struct HTTPStatusSet: Sendable, Hashable, ExpressibleByArrayLiteral, CustomStringConvertible {
    /// In ascending order; they neither overlap nor touch.
    private var ranges: [ClosedRange<Int>]

    /// Creates a set of single statuses.
    public init(arrayLiteral elements: HTTPStatus...) {
        self.init(merging: elements.map { $0.code...$0.code })
    }

    /// Creates a set of all statuses in a range, both ends included.
    public init(_ range: ClosedRange<Int>) {
        ranges = [range]
    }

    /// Creates a set of all statuses in a range without its upper end. An empty range makes an empty set.
    public init(_ range: Range<Int>) {
        ranges = range.isEmpty ? [] : [range.lowerBound...(range.upperBound - 1)]
    }

    /// Reads a set as people write it: `200-299,404`, with spaces around any part. The word `all` stands for every status
    /// and `none` for the empty set.
    ///
    /// - Throws: ``MalformedValue`` if a part is neither a number of three digits nor a rising range of two of them.
    public init(parsing text: String) throws(MalformedValue) {
        switch text {
        case "all": self = .all
        case "none": self = []
        default: self.init(merging: try Self.ranges(in: text))
        }
    }

    private static func ranges(in text: String) throws(MalformedValue) -> [ClosedRange<Int>] {
        var parts: [ClosedRange<Int>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let bounds = part.split(separator: "-", omittingEmptySubsequences: false).map(code)
            guard (1...2).contains(bounds.count), let low = bounds[0], let high = bounds[bounds.count - 1], low <= high
            else {
                throw MalformedValue(kind: "set of statuses", name: text, reason: "write it like 200-299,404")
            }
            parts.append(low...high)
        }
        return parts
    }

    /// The number between spaces, if it has the three digits of a status (RFC 9110, section 15).
    private static func code(_ text: Substring) -> Int? {
        let bare = text.drop { $0 == " " }.prefix { $0 != " " }
        let rest = text[bare.endIndex...]
        guard rest.allSatisfy({ $0 == " " }), bare.utf8.count == 3, bare.utf8.allSatisfy(HTTPSyntax.isDigit),
            let code = Int(bare), code >= 100
        else { return nil }
        return code
    }

    private init(merging parts: [ClosedRange<Int>]) {
        ranges = parts.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, next in
            // The sum cannot overflow where it matters: nothing lies above a range that ends at the largest number.
            if let last = merged.last, next.lowerBound <= last.upperBound || next.lowerBound == last.upperBound &+ 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, next.upperBound)
            } else {
                merged.append(next)
            }
        }
    }

    /// 200 to 299 (RFC 9110, section 15.3).
    public static let success = HTTPStatusSet(200...299)

    /// Every status.
    public static let all = HTTPStatusSet(Int.min...Int.max)

    /// Whether the set has this status.
    public func contains(_ status: HTTPStatus) -> Bool {
        ranges.contains { $0.contains(status.code) }
    }

    /// The statuses that are in this set or in the other.
    public func union(_ other: HTTPStatusSet) -> HTTPStatusSet {
        HTTPStatusSet(merging: ranges + other.ranges)
    }

    /// The set as ``init(parsing:)`` reads it.
    public var description: String {
        guard self != .all else { return "all" }
        guard !ranges.isEmpty else { return "none" }
        return ranges.map { $0.lowerBound == $0.upperBound ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ",")
    }
}
