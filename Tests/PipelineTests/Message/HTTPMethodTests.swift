import Pipeline
import Testing

struct HTTPMethodTests {
    @Test(arguments: [
        (HTTPMethod.get, true, true), (.head, true, true), (.options, true, true), (.trace, true, true),
        (.put, false, true), (.delete, false, true), (.post, false, false), (.patch, false, false),
        (.connect, false, false), ("PURGE", false, false), ("get", false, false),
    ])
    func `knows which methods are safe and which idempotent`(method: HTTPMethod, isSafe: Bool, isIdempotent: Bool) {
        #expect(method.isSafe == isSafe)
        #expect(method.isIdempotent == isIdempotent)
    }

    @Test func `is case-sensitive and open`() {
        #expect(HTTPMethod.get != "get")
        #expect(HTTPMethod(rawValue: "M-SEARCH").description == "M-SEARCH")
    }

    @Test(arguments: ["GET", "M-SEARCH", "get", "!#$%&'*+-.^_`|~09"])
    func `lets tokens pass`(method: String) throws {
        try HTTPMethod(rawValue: method).check()
    }

    @Test(arguments: ["", " ", "GET ", "GET /", "GET\r\nX: 1", "G\u{0}T", "GÉT", "GET\u{301}", "a:b", "(a)"])
    func `refuses what is no token`(method: String) {
        let error = #expect(throws: MalformedValue.self) { try HTTPMethod(rawValue: method).check() }
        #expect(error?.kind == "method")
        #expect(error?.description.contains(where: \.isNewline) == false)
    }
}
