import Foundation
import Pipeline
import Testing

struct HTTPDateTests {
    private static let now = Date(timeIntervalSince1970: 1_767_225_600)  // 2026-01-01

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Sun Nov 16 08:49:37 1994", 784_975_777),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ("Fri, 30 Jun 2023 23:59:60 GMT", 1_688_169_600),  // A leap second.
    ])
    func `reads the three forms`(text: String, seconds: Int) {
        #expect(HTTPDate(text, now: Self.now)?.date == Date(timeIntervalSince1970: Double(seconds)))
    }

    /// RFC 9110, section 5.6.7: a year that seems more than 50 years ahead is one in the past.
    @Test(arguments: [("26", 2026), ("76", 2076), ("77", 1977), ("99", 1999), ("00", 2000), ("25", 2025)])
    func `a year of two digits is near the present`(digits: String, year: Int) {
        let date = HTTPDate("Sunday, 06-Nov-\(digits) 08:49:37 GMT", now: Self.now)
        #expect(date?.description.contains(" \(year) ") == true)
    }

    @Test func `a year of two digits can be in the next century`() {
        let now = Date(timeIntervalSince1970: 3_000_000_000)  // 2065
        #expect(HTTPDate("Sunday, 06-Nov-10 08:49:37 GMT", now: now)?.description.contains(" 2110 ") == true)
        #expect(HTTPDate("Sunday, 06-Nov-16 08:49:37 GMT", now: now)?.description.contains(" 2016 ") == true)
    }

    @Test(arguments: [
        "", "0", "1m0s", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Son, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nuv 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
        "Wed, 29 Feb 2023 12:00:00 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 19940 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun Nov  16 08:49:37 1994",
        "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", " Sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37:00 GMT", "Sun, 06 Nov ١٩٩٤ 08:49:37 GMT",
    ])
    func `refuses everything else`(text: String) {
        #expect(HTTPDate(text, now: Self.now) == nil)
    }

    @Test func `writes what it reads`() {
        let days = stride(from: -719_162, through: 2_932_896, by: 997)  // The years 1 to 9999.
        for day in days {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 3_723)
            #expect(HTTPDate(HTTPDate(date).description, now: Self.now)?.date == date)
        }
        #expect(HTTPDate(Date(timeIntervalSince1970: .infinity)).description == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(HTTPDate(Date(timeIntervalSince1970: -.infinity)).description == "Mon, 01 Jan 0001 00:00:00 GMT")
        #expect(HTTPDate(Date(timeIntervalSince1970: 784_111_777.9)).description == "Sun, 06 Nov 1994 08:49:37 GMT")
    }
}
