public import Foundation

/// A date as header fields write it (RFC 9110, section 5.6.7).
///
///     HTTPDate("Sun, 06 Nov 1994 08:49:37 GMT", now: context.time.date)?.date
///
/// It reads the form that is sent today and the two obsolete ones that recipients must still accept, and writes the first.
public struct HTTPDate: Sendable, Hashable, CustomStringConvertible {
    /// The moment, to the second.
    public let date: Date

    /// Creates a value to write; fractions of a second are dropped. A date outside the years 1 to 9999, which the forms
    /// cannot express, becomes the nearest that they can.
    public init(_ date: Date) {
        self.date = Date(timeIntervalSince1970: Calendar.seconds(of: date))
    }

    /// Reads a date in any of the three forms.
    ///
    /// Names of days are not compared with the calendar. A leap second counts as the first second after it.
    ///
    /// - Parameters:
    ///   - text: The text as received, without space at either end.
    ///   - now: The present. One form has years of two digits: such a year is the one within the 50 years to come, or else
    ///     the last that ended in those digits.
    /// - Returns: `nil` if the text has none of the forms, or names a day or time that does not exist.
    public init?(_ text: String, now: Date) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard let parts = Parts(fixed: words) ?? Parts(rfc850: words, now: now) ?? Parts(asctime: words),
            let seconds = parts.secondsSince1970
        else { return nil }
        date = Date(timeIntervalSince1970: Double(seconds))
    }

    /// The date in the form that is to be sent: `Sun, 06 Nov 1994 08:49:37 GMT`.
    public var description: String {
        let seconds = Int(date.timeIntervalSince1970)
        let (days, time) = seconds.dividedFloored(by: 86_400)
        let (year, month, day) = Calendar.civil(days: days)
        let weekday = Calendar.weekdays[(days + 4).dividedFloored(by: 7).remainder]  // 1970 began on a Thursday.
        let clock = [time / 3600, time / 60 % 60, time % 60].map { Self.padded($0, to: 2) }.joined(separator: ":")
        let name = Calendar.months[month - 1]
        return "\(weekday), \(Self.padded(day, to: 2)) \(name) \(Self.padded(year, to: 4)) \(clock) GMT"
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// The parts of a date as it is written.
private struct Parts {
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    init?(fixed words: [Substring]) {
        guard words.count == 6, words[5] == "GMT", words[0].last == ",",
            Calendar.weekdays.contains(String(words[0].dropLast())),
            let day = number(words[1], digits: 2), let month = Calendar.month(words[2]),
            let year = number(words[3], digits: 4)
        else { return nil }
        self.init(year, month, day, time: words[4])
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`
    init?(rfc850 words: [Substring], now: Date) {
        guard words.count == 4, words[3] == "GMT", words[0].last == ",",
            Calendar.longWeekdays.contains(String(words[0].dropLast()))
        else { return nil }
        let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let day = number(parts[0], digits: 2), let month = Calendar.month(parts[1]),
            let short = number(parts[2], digits: 2)
        else { return nil }
        let (days, _) = Int(Calendar.seconds(of: now)).dividedFloored(by: 86_400)
        let present = Calendar.civil(days: days).year
        self.init(present - present % 100 + short, month, day, time: words[2])
        if year > present + 50 { year -= 100 } else if year <= present - 50 { year += 100 }
    }

    /// `Sun Nov  6 08:49:37 1994`
    init?(asctime words: [Substring]) {
        var words = words
        if words.count == 6, words[2].isEmpty {  // A day of one digit has a space in front.
            words.remove(at: 2)
            guard words[2].utf8.count == 1 else { return nil }
        } else if words.count == 5, words[2].utf8.count != 2 {
            return nil
        }
        guard words.count == 5, Calendar.weekdays.contains(String(words[0])), let month = Calendar.month(words[1]),
            let day = number(words[2], digits: words[2].utf8.count), let year = number(words[4], digits: 4)
        else { return nil }
        self.init(year, month, day, time: words[3])
    }

    private init?(_ year: Int, _ month: Int, _ day: Int, time: Substring) {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(parts[0], digits: 2), let minute = number(parts[1], digits: 2),
            let second = number(parts[2], digits: 2)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    var secondsSince1970: Int? {
        guard (1...Calendar.days(in: month, of: year)).contains(day), hour < 24, minute < 60, second <= 60 else {
            return nil
        }
        return Calendar.days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
    }
}

/// The Gregorian calendar in whole numbers: fields are in GMT, whatever the locale.
private enum Calendar {
    static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    static let longWeekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Whole seconds from 1970 on, within the years 1 to 9999.
    static func seconds(of date: Date) -> Double {
        min(max(date.timeIntervalSince1970.rounded(.down), -62_135_596_800), 253_402_300_799)
    }

    static func month(_ name: Substring) -> Int? { months.firstIndex(of: String(name)).map { $0 + 1 } }

    static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days from the first of January 1970. Years are counted from March, so that the leap day is the last of one.
    static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let years = month > 2 ? year : year - 1
        let months = (month + 9) % 12
        let (era, yearOfEra) = years.dividedFloored(by: 400)
        let dayOfYear = (153 * months + 2) / 5 + day - 1
        return era * daysOfEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - epoch
    }

    /// The inverse of ``days(_:_:_:)``.
    static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (days + epoch).dividedFloored(by: daysOfEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let months = (5 * dayOfYear + 2) / 153
        let month = months < 10 ? months + 3 : months - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * months + 2) / 5 + 1)
    }

    /// The days of 400 years.
    private static let daysOfEra = 146_097
    /// The days from the first of March of the year 0 to 1970.
    private static let epoch = 719_468
}

/// A number of so many digits and nothing else: `Int` would take a sign too.
private func number(_ text: Substring, digits: Int) -> Int? {
    guard text.utf8.count == digits, text.utf8.allSatisfy(HTTPSyntax.isDigit) else { return nil }
    return Int(text)
}

extension Int {
    fileprivate func dividedFloored(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
