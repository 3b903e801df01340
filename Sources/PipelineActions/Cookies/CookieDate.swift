import Foundation

/// The dates of `Expires` attributes, read as servers write them rather than as they should (RFC 6265, section 5.1.1).
///
/// The text is cut into pieces at anything that is no letter, digit or colon. The first piece of each kind counts, in
/// whatever order they come: a time, a day, a month, a year. The zone is always UTC. A year of two digits is 1970 to 2069.
enum CookieDate {
    /// Reads a date.
    ///
    /// - Returns: `nil` if a part is missing or out of range, if the year is before 1601, or if there is no such day.
    static func parse(_ text: String) -> Date? {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.utf8.split(whereSeparator: isDelimiter) {
            if time == nil, let found = self.time(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = self.month(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, let year else { return nil }
        return date(fullYear(year), month, day, time)
    }

    private static func date(_ year: Int, _ month: Int, _ day: Int, _ time: (hour: Int, minute: Int, second: Int))
        -> Date?
    {
        guard year >= 1601, time.hour <= 23, time.minute <= 59, time.second <= 59,
            (1...length(of: month, in: year)).contains(day)
        else { return nil }
        let seconds = ((daysSince1970(year, month, day) * 24 + time.hour) * 60 + time.minute) * 60 + time.second
        return Date(timeIntervalSince1970: Double(seconds))
    }

    private static func fullYear(_ year: Int) -> Int {
        switch year {
        case 70...99: year + 1900
        case 0...69: year + 2000
        default: year
        }
    }

    // MARK: The calendar

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func length(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// How many days lie between the first of the year 1 and that of 1970.
    private static let daysTo1970 = 719_162

    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let before = year - 1
        let leapDays = before / 4 - before / 100 + before / 400
        let daysOfMonths = (1..<month).reduce(0) { $0 + length(of: $1, in: year) }
        return before * 365 + leapDays + daysOfMonths + day - 1 - daysTo1970
    }

    // MARK: The pieces

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// The number that begins the piece; `nil` unless it has as many digits as allowed, and something else or nothing behind
    /// them.
    private static func number(_ token: some Collection<UInt8>, digits: ClosedRange<Int>) -> Int? {
        let number = token.prefix(while: isDigit)
        guard digits.contains(number.count) else { return nil }
        return number.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Three numbers of one or two digits with colons between them. Behind the last anything may stand but a digit.
    private static func time(_ token: some Collection<UInt8>) -> (hour: Int, minute: Int, second: Int)? {
        let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].allSatisfy(isDigit), parts[1].allSatisfy(isDigit),
            let hour = number(parts[0], digits: 1...2), let minute = number(parts[1], digits: 1...2),
            let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static func month(_ token: some Collection<UInt8>) -> Int? {
        let name = String(decoding: token.prefix(3).map { $0 | 0x20 }, as: UTF8.self)
        return months.firstIndex(of: name).map { $0 + 1 }
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
}
