package import Foundation

/// What tells one state of a representation from every other, so that a part can be asked for of exactly that state with
/// `If-Range` (RFC 9110, section 13.1.5).
package enum RangeValidator: Sendable, Hashable, Codable {
    /// A strong entity tag, with its quotation marks.
    case entityTag(String)
    /// The date of the last change, as the server wrote it.
    case date(String)

    /// The value for an `If-Range` field.
    package var fieldValue: String {
        switch self {
        case .entityTag(let value), .date(let value): value
        }
    }

    /// Takes the strong validator of a response.
    ///
    /// That is a strong entity tag. Only where there is no tag at all it can be the date of the last change, if that is at
    /// least a second before the date of the response: of two changes within a second it knows one (RFC 9110, section
    /// 8.8.2.2).
    ///
    /// - Parameters:
    ///   - headers: The head of the response.
    ///   - now: The present on the wall clock, for dates with years of two digits.
    /// - Returns: `nil` if the response has none.
    package init?(strongIn headers: HTTPHeaders, now: Date) {
        let tags = headers.values(of: .etag)
        guard tags.isEmpty else {
            guard tags.count == 1, Self.isStrong(tags[0]) else { return nil }
            self = .entityTag(tags[0])
            return
        }
        let changes = headers.values(of: .lastModified)
        guard changes.count == 1, let change = HTTPDate(changes[0], now: now)?.date,
            let date = headers.values(of: .date).first.flatMap({ HTTPDate($0, now: now) })?.date,
            date.timeIntervalSince(change) >= 1
        else { return nil }
        self = .date(changes[0])
    }

    /// Whether the head of a part names no other state than this.
    package func agrees(with headers: HTTPHeaders) -> Bool {
        switch self {
        case .entityTag(let tag):
            headers.values(of: .etag).allSatisfy { $0 == tag }
        case .date(let date):
            !headers.contains(.etag) && headers.values(of: .lastModified).allSatisfy { $0 == date }
        }
    }

    /// Whether it is an entity tag without `W/` in front (RFC 9110, section 8.8.3).
    private static func isStrong(_ tag: String) -> Bool {
        let bytes = tag.utf8
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
            return false
        }
        return bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7F }
    }
}
