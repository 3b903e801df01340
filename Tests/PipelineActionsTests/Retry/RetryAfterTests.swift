import Foundation
import Pipeline
import PipelineActions
import Testing

/// B08: RFC 9110, section 10.2.3, in all its forms.
struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT
    static let now = Date(timeIntervalSince1970: 784_111_777)

    @Test(arguments: [
        (["0"], 0), (["120"], 120), (["  120\t"], 120), (["007"], 7),
        (["Sun, 06 Nov 1994 08:51:37 GMT"], 120), (["Sunday, 06-Nov-94 08:51:37 GMT"], 120),
        (["Sun Nov  6 08:51:37 1994"], 120),
        (["Sun, 06 Nov 1994 08:49:37 GMT"], 0), (["Fri, 31 Dec 1993 23:59:59 GMT"], 0),
        (["Friday, 31-Dec-93 23:59:59 GMT"], 0), (["Fri Dec 31 23:59:59 1993"], 0),
        (["2", "30"], 30), (["30", "soon"], 30), (["5", "Sun, 06 Nov 1994 08:49:47 GMT"], 10), (["2, 30"], 30),
        (["99999999999"], 99_999_999_999),
        (["99999999999999999999999999"], 10_000_000_000_000),
    ])
    func `what a response asks for, in seconds`(values: [String], seconds: Int) {
        #expect(RetryAfter(in: headers(values), now: Self.now)?.delay(from: Self.now) == .seconds(seconds))
    }

    @Test(arguments: [
        [], [""], ["1m0s"], ["-1"], ["+1"], ["1.5"], ["0x10"], ["soon"], ["1 2"], ["٣"], ["1,x"], [","],
        ["Sun, 31 Nov 1994 08:49:37 GMT"], ["Sun, 06 Nov 1994 08:49:37 CET"],
    ])
    func `what cannot be read is absent`(values: [String]) {
        #expect(RetryAfter(in: headers(values), now: Self.now) == nil)
        for value in values where value != "1,x" {
            #expect(throws: MalformedValue.self) { try RetryAfter(field: value, now: Self.now) }
        }
    }

    @Test func `negative seconds are none`() {
        #expect(RetryAfter.seconds(.min).delay(from: Self.now) == .zero)
        #expect(RetryAfter.seconds(.max).delay(from: Self.now) > .seconds(1_000_000_000))
    }

    private func headers(_ values: [String]) -> HTTPHeaders {
        HTTPHeaders(values.map { HTTPField(name: "retry-after", value: $0) })
    }
}
