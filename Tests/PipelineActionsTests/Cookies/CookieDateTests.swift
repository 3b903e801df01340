import Foundation
import Testing

@testable import PipelineActions

struct CookieDateTests {
    @Test(arguments: [
        ("Wed, 09 Jun 2021 10:18:14 GMT", 1_623_233_894),
        ("Wednesday, 09-Jun-21 10:18:14 GMT", 1_623_233_894),
        ("Wed Jun  9 10:18:14 2021", 1_623_233_894),
        ("10:18:14 9 jUNe 2021", 1_623_233_894),
        ("2021 Jun 9 10:18:14 -0800", 1_623_233_894),
        ("Wed, 9 Jun 2021 10:18:14.999", 1_623_233_894),
        ("09;Jun;2021@10:18:14", 1_623_233_894),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Thu, 01-Jan-70 0:0:0 GMT", 0),
        ("Thu, 01-Jan-69 00:00:01 GMT", 3_124_224_001),
        ("29 Feb 2000 12:00:00", 951_825_600),
        ("29 Feb 2024 12:00:00", 1_709_208_000),
        ("31 Dec 1999 23:59:59", 946_684_799),
        ("1 Jan 1601 00:00:00", -11_644_473_600),
        ("31 Dec 9999 23:59:59", 253_402_300_799),
        ("9th Jun 2021a 10:18:14z", 1_623_233_894),
    ])
    func `reads dates as servers write them`(text: String, seconds: Int) {
        #expect(CookieDate.parse(text) == Date(timeIntervalSince1970: Double(seconds)))
    }

    @Test(arguments: [
        "", "tomorrow", "Wed, 09 Jun 2021", "10:18:14 GMT", "09 Jun 10:18:14", "Jun 2021 10:18:14",
        "09 Foo 2021 10:18:14", "30 Feb 2021 10:18:14", "29 Feb 2100 10:18:14", "31 Apr 2021 10:18:14",
        "00 Jun 2021 10:18:14", "32 Jun 2021 10:18:14", "09 Jun 1600 10:18:14", "09 Jun 2021 24:00:00",
        "09 Jun 2021 10:60:00", "09 Jun 2021 10:00:60", "09 Jun 20210 10:18:14", "09 Jun 2021 10:18",
        "09 Jun 2021 100:18:14", "009 Jun 2021 10:18:14", "09 Jun 2021 10:18:144",
    ])
    func `reads nothing into anything else`(text: String) {
        #expect(CookieDate.parse(text) == nil)
    }
}
