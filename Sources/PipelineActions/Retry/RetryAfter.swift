public import Foundation
public import Pipeline

/// The pause that a server asks for in a `Retry-After` field (RFC 9110, section 10.2.3).
///
/// Servers send it with 429, 503 and 413 above all, as a number of seconds or as a date. Both become a ``delay(from:)``, so
/// that nobody has to tell them apart.
public enum RetryAfter: Sendable, Hashable {
    /// So many seconds from the moment the response arrived.
    case seconds(Int)

    /// At this moment on the wall clock.
    case date(Date)

    /// Reads the value of a field.
    ///
    /// Spaces around it do not matter. A number too large to count with stands for the largest there is.
    ///
    /// - Parameters:
    ///   - field: The value as received, without the name.
    ///   - now: The present on the wall clock; dates in one of the obsolete forms have years of two digits.
    /// - Throws: `MalformedValue` if the value is neither digits alone nor a date in one of the three forms of RFC 9110,
    ///   section 5.6.7.
    public init(field: String, now: Date) throws(MalformedValue) {
        let text = field.trimmingCharacters(in: .whitespaces)
        if let seconds = Self.digits(text) {
            self = .seconds(seconds)
        } else if let date = HTTPDate(text, now: now) {
            self = .date(date.date)
        } else {
            throw MalformedValue(
                kind: "Retry-After field",
                name: field,
                reason: "it is a number of seconds or an HTTP date (RFC 9110, section 10.2.3)"
            )
        }
    }

    /// Reads what a response asks for.
    ///
    /// Of several fields the one that asks for the longest pause counts, whether they come on lines of their own or joined
    /// with commas. What cannot be read is taken as absent: a server's mistake in this field is no reason to fail.
    ///
    /// - Parameters:
    ///   - headers: The fields of the response.
    ///   - now: The present on the wall clock.
    /// - Returns: `nil` if there is no field that can be read.
    public init?(in headers: HTTPHeaders, now: Date) {
        let found = headers.values(of: .retryAfter).flatMap { value -> [RetryAfter] in
            if let whole = try? RetryAfter(field: value, now: now) { return [whole] }
            // Dates have a comma of their own, so only numbers are looked for between commas.
            let parts = value.split(separator: ",").map { Self.digits($0.trimmingCharacters(in: .whitespaces)) }
            return parts.contains(nil) ? [] : parts.compactMap { $0.map(RetryAfter.seconds) }
        }
        guard let longest = found.max(by: { $0.delay(from: now) < $1.delay(from: now) }) else { return nil }
        self = longest
    }

    /// How long to wait.
    ///
    /// - Parameter now: The present on the wall clock, from which a date is counted. A number of seconds ignores it.
    /// - Returns: The pause. A moment in the past means zero.
    public func delay(from now: Date) -> Duration {
        switch self {
        case .seconds(let seconds): .seconds(min(max(0, seconds), Self.largest))
        case .date(let date): max(.zero, .seconds(date.timeIntervalSince(now)))
        }
    }

    /// Some 300,000 years, beyond which pauses are all the same, and sums of them still fit.
    private static let largest = 10_000_000_000_000

    /// A number of decimal digits and nothing else: `Int` would take a sign too.
    private static func digits(_ text: String) -> Int? {
        let zero = UInt8(ascii: "0")
        guard !text.isEmpty, text.utf8.allSatisfy({ (zero...zero + 9).contains($0) }) else { return nil }
        return Int(text) ?? largest
    }
}
