import Pipeline
import Testing

struct MalformedValueTests {
    @Test func `names kind, offender and rule in one line`() {
        let error = MalformedValue(kind: "path", name: "a\r\nb", reason: "it is none")
        #expect(error.description == "malformed path \"a\\r\\nb\": it is none")
        #expect("\(error as any Error)" == error.description)
    }

    @Test func `keeps the beginning of a long offender`() {
        let long = MalformedValue(kind: "path", name: String(repeating: "a", count: 10_000), reason: "")
        #expect(long.name == String(repeating: "a", count: 200) + "…")
        #expect(MalformedValue(kind: "", name: String(repeating: "é", count: 200), reason: "").name.count == 200)
    }
}
