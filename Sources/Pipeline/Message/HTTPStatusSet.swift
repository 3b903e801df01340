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

    /// Creates a set of all statuses in a range.
    public init(_ range: ClosedRange<Int>) {
        ranges = [range]
    }

    /// Creates a set of all statuses in a range.
    public init(_ range: Range<Int>) {
        ranges = range.isEmpty ? [] : [range.lowerBound...(range.upperBound - 1)]
    }

    /// Reads a set as people write it: `200-299,404`.
    ///
    /// - Throws: ``MalformedValue`` if a part is neither a number nor a range of numbers from 100 to 999.
    public init(parsing text: String) throws(MalformedValue) {
        var parts: [ClosedRange<Int>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let bounds = part.split(separator: "-", omittingEmptySubsequences: false).map { bound in
                Int(bound.drop { $0 == " " }).flatMap { (100...999).contains($0) ? $0 : nil }
            }
            guard (1...2).contains(bounds.count), let low = bounds[0], let high = bounds[bounds.count - 1], low <= high
            else {
                throw MalformedValue(kind: "set of statuses", name: text, reason: "write it like 200-299,404")
            }
            parts.append(low...high)
        }
        self.init(merging: parts)
    }

    private init(merging parts: [ClosedRange<Int>]) {
        ranges = parts.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, next in
            if let last = merged.last, next.lowerBound <= last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, next.upperBound)
            } else {
                merged.append(next)
            }
        }
    }

    /// 200 to 299 (RFC 9110, section 15.3).
    public static let success = HTTPStatusSet(200...299)

    /// Every status.
    public static let all = HTTPStatusSet(Int.min...(Int.max - 1))

    /// Whether the set has this status.
    public func contains(_ status: HTTPStatus) -> Bool {
        ranges.contains { $0.contains(status.code) }
    }

    /// The statuses that are in this set or in the other.
    public func union(_ other: HTTPStatusSet) -> HTTPStatusSet {
        HTTPStatusSet(merging: ranges + other.ranges)
    }

    /// The set as ``init(parsing:)`` reads it; `all` for every status.
    public var description: String {
        guard self != .all else { return "all" }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ",")
    }
}
