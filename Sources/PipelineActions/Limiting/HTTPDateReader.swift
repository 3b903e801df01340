import Foundation

/// Reads the three forms of dates that HTTP knows (RFC 9110, section 5.6.7).
enum HTTPDateReader {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// - Returns: `nil` if the text is no such date.
    static func date(in text: String) -> Date? {
        let words = text.split { " ,-".contains($0) }.map(String.init)
        // Sun, 06 Nov 1994 08:49:37 GMT; Sunday, 06-Nov-94 08:49:37 GMT; Sun Nov  6 08:49:37 1994.
        if words.count == 6, words[5] == "GMT" {
            return date(year: words[3], month: words[2], day: words[1], time: words[4])
        }
        if words.count == 5 { return date(year: words[4], month: words[1], day: words[2], time: words[3]) }
        return nil
    }

    private static func date(year: String, month: String, day: String, time: String) -> Date? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).compactMap { UInt8($0) }
        guard let year = UInt16(year).map(Int.init), let month = months.firstIndex(of: month), let day = UInt8(day),
            (1...31).contains(day), clock.count == 3, clock[0] < 24, clock[1] < 60, clock[2] <= 60
        else { return nil }
        var parts = DateComponents()
        parts.year = year < 70 ? year + 2000 : year < 100 ? year + 1900 : year
        parts.month = month + 1
        parts.day = Int(day)
        parts.hour = Int(clock[0])
        parts.minute = Int(clock[1])
        parts.second = Int(clock[2])
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(from: parts)
    }
}
