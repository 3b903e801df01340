import Foundation
import Pipeline
import Testing

/// RFC 9110, sections 8.8 and 13.1.5.
struct RangeValidatorTests {
    static let noon = "Mon, 30 Nov 2026 12:00:00 GMT"
    static let second = "Mon, 30 Nov 2026 12:00:01 GMT"

    func validator(in headers: HTTPHeaders) -> RangeValidator? {
        RangeValidator(strongIn: headers, now: Date(timeIntervalSince1970: 1_796_000_000))
    }

    @Test(
        arguments: [
            (["ETag": "\"a\""], .entityTag("\"a\"")), (["ETag": "\"\""], .entityTag("\"\"")),
            (["ETag": "\"a\"", "Last-Modified": noon, "Date": second], .entityTag("\"a\"")),
            (["Last-Modified": noon, "Date": second], .date(noon)),
            // Weak, or no tag
            (["ETag": "W/\"a\""], nil), (["ETag": "a"], nil), (["ETag": "\"a"], nil), (["ETag": "\""], nil),
            (["ETag": "\"a\", \"b\""], nil), (["ETag": "\"a b\""], nil), (["ETag": ""], nil),
            // Where there is a tag, the date does not count
            (["ETag": "W/\"a\"", "Last-Modified": noon, "Date": second], nil),
            // The second is not over, or nobody knows
            (["Last-Modified": noon, "Date": noon], nil), (["Last-Modified": second, "Date": noon], nil),
            (["Last-Modified": noon], nil), (["Last-Modified": noon, "Date": "soon"], nil),
            (["Last-Modified": "then", "Date": second], nil), ([:], nil),
        ] as [(HTTPHeaders, RangeValidator?)]
    )
    func `takes a strong validator alone`(headers: HTTPHeaders, expected: RangeValidator?) {
        #expect(validator(in: headers) == expected)
    }

    @Test func `two tags are none`() {
        var headers: HTTPHeaders = ["ETag": "\"a\""]
        headers.append(name: .etag, value: "\"a\"")
        #expect(validator(in: headers) == nil)
    }

    @Test(
        arguments: [
            (.entityTag("\"a\""), ["ETag": "\"a\""], true), (.entityTag("\"a\""), [:], true),
            (.entityTag("\"a\""), ["ETag": "\"b\""], false), (.entityTag("\"a\""), ["ETag": "W/\"a\""], false),
            (.date(noon), [:], true), (.date(noon), ["Last-Modified": noon], true),
            (.date(noon), ["Last-Modified": second], false),
            (.date(noon), ["ETag": "\"a\"", "Last-Modified": noon], false),
        ] as [(RangeValidator, HTTPHeaders, Bool)]
    )
    func `agrees with a part that names no other state`(validator: RangeValidator, headers: HTTPHeaders, agrees: Bool) {
        #expect(validator.agrees(with: headers) == agrees)
    }
}
