import Pipeline
import Testing

/// RFC 9110, section 14.4.
struct ContentRangeTests {
    @Test(
        arguments: [
            ("bytes 0-499/1234", 0...499, 1234), ("bytes 734-1233/1234", 734...1233, 1234), ("bytes 7-7/8", 7...7, 8),
            ("bytes 42-1233/*", 42...1233, nil), ("Bytes 0-0/1", 0...0, 1), ("bytes */1234", nil, 1234),
            ("bytes */0", nil, 0),
        ] as [(String, ClosedRange<Int>?, Int?)]
    )
    func `reads where a part belongs`(field: String, bytes: ClosedRange<Int>?, total: Int?) {
        let range = ContentRange(field)
        #expect(range?.bytes == bytes)
        #expect(range?.total == total)
        #expect(range != nil)
    }

    @Test(arguments: [
        "", "bytes", "bytes 0-499", "0-499/1234", "items 0-499/1234", "bytes 5-4/10", "bytes 0-10/10", "bytes 0-11/10",
        "bytes */*", "bytes -1-5/10", "bytes +1-5/10", "bytes 0-/10", "bytes -/10", "bytes 0-1/", "bytes 0-1/2/3",
        "bytes 0-1-2/3", "bytes 0 - 1/3", "bytes=0-1/3", "bytes 0-99999999999999999999/*", "bytes ٣-4/5",
        "bytes 0-1/2, bytes 0-1/2",
    ])
    func `refuses all else`(field: String) {
        #expect(ContentRange(field) == nil)
    }
}
