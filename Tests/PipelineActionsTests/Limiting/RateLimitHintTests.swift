import Foundation
import Pipeline
import Testing

@testable import PipelineActions

struct RateLimitHintTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT
    private static let now = Date(timeIntervalSince1970: 784_111_777)

    struct Case: Sendable, CustomTestStringConvertible {
        let headers: HTTPHeaders
        var status: HTTPStatus = 200
        let hints: [RateLimitHint]

        init(_ fields: [HTTPField], _ status: HTTPStatus, _ hints: (String, Int, Double)...) {
            headers = HTTPHeaders(fields)
            self.status = status
            self.hints = hints.map { RateLimitHint(name: $0, remaining: $1, reset: .seconds($2)) }
        }

        init(_ headers: HTTPHeaders, _ status: HTTPStatus = 200, _ hints: (String, Int, Double)...) {
            self.headers = headers
            self.status = status
            self.hints = hints.map { RateLimitHint(name: $0, remaining: $1, reset: .seconds($2)) }
        }

        var testDescription: String { "\(status.code) \(headers)" }
    }

    static let cases = [
        Case([:]),
        // Retry-After
        Case(["Retry-After": "120"], 429, ("Retry-After", 0, 120)),
        Case(["Retry-After": "0"], 503, ("Retry-After", 0, 0)),
        Case(["Retry-After": "120"], 200),
        Case(["Retry-After": "120"], 301),
        Case(["Retry-After": "-1"], 429),
        Case(["Retry-After": "1.5"], 429),
        Case(["Retry-After": "soon"], 429),
        Case(["Retry-After": ""], 429),
        Case(["Retry-After": "99999999999999999999"], 429, ("Retry-After", 0, 1e13)),
        Case(["Retry-After": "Sun, 06 Nov 1994 08:50:07 GMT"], 503, ("Retry-After", 0, 30)),
        Case(["Retry-After": "Sunday, 06-Nov-94 08:50:07 GMT"], 503, ("Retry-After", 0, 30)),
        Case(["Retry-After": "Sun Nov  6 08:50:07 1994"], 503, ("Retry-After", 0, 30)),
        Case(["Retry-After": "Sun, 06 Nov 1994 08:00:00 GMT"], 503, ("Retry-After", 0, 0)),
        Case(["Retry-After": "Sun, 06 Nov 1994 25:00:00 GMT"], 503),
        Case(["Retry-After": "Sun, 06 Nov 1994 08:50:07"], 503),
        // RateLimit, with a name for each limit
        Case(["RateLimit": #""default";r=50;t=30"#], 200, ("default", 50, 30)),
        Case(["RateLimit": #""burst";r=0;t=1, "daily";r=900;t=3600"#], 200, ("burst", 0, 1), ("daily", 900, 3600)),
        Case(["RateLimit": #"default;r=2;t=5"#], 200, ("default", 2, 5)),
        Case(["RateLimit": #""a;r=9, b";r=1;t=2"#], 200, ("a;r=9, b", 1, 2)),
        Case(["RateLimit": #""a";r=7"#, "RateLimit-Policy": #""a";q=100;w=60"#], 200, ("a", 7, 60)),
        Case(["RateLimit": #""a";r=7;t=3"#, "RateLimit-Policy": #""a";q=100;w=60"#], 200, ("a", 7, 3)),
        Case(["RateLimit": #""a";r=7"#, "RateLimit-Policy": #""b";q=100;w=60"#]),
        Case(["RateLimit": "\"\u{301}a;r=9, b\u{301}\";r=1;t=2"], 200, ("\u{301}a;r=9, b\u{301}", 1, 2)),
        Case(["RateLimit": #""a";r=7"#]),
        Case(["RateLimit": #""a";r=-7;t=1"#]),
        Case(["RateLimit": #""a";r=x;t=1"#]),
        Case(["RateLimit": "nonsense"]),
        Case(["RateLimit": #""a"#]),
        // Its earlier forms
        Case(["RateLimit": "limit=100, remaining=50, reset=30"], 200, ("RateLimit", 50, 30)),
        Case(["RateLimit": "limit=100;w=60, remaining=50, reset=30"], 200, ("RateLimit", 50, 30)),
        Case(["RateLimit-Limit": "100", "RateLimit-Remaining": "9", "RateLimit-Reset": "7"], 200, ("RateLimit", 9, 7)),
        Case(["RateLimit-Remaining": "9"]),
        Case(["RateLimit-Reset": "9"]),
        // Of several, or joined on one line, the longest pause.
        Case(
            [HTTPField(name: "Retry-After", value: "5"), HTTPField(name: "Retry-After", value: "9")],
            429,
            ("Retry-After", 0, 9)
        ),
        Case(["Retry-After": "9, 5"], 503, ("Retry-After", 0, 9)),
        // What was common before
        Case(["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "60"], 200, ("X-RateLimit", 0, 60)),
        Case(
            ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2000000000"],
            200,
            ("X-RateLimit", 0, 1_215_888_223)
        ),
        Case(["x-rate-limit-remaining": "3", "x-rate-limit-reset": "5"], 200, ("X-Rate-Limit", 3, 5)),
        Case(
            ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1000000001000"],
            200,
            ("X-RateLimit", 0, 215_888_224)
        ),
        Case(
            ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2000000000.5", "X-RateLimit-Reset-After": "1.25"],
            200,
            ("X-RateLimit", 0, 1.25)
        ),
        // Of several, the standard's
        Case(
            ["RateLimit": #""a";r=1;t=2"#, "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "60"],
            200,
            ("a", 1, 2)
        ),
        Case(
            ["Retry-After": "5", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "60"],
            429,
            ("Retry-After", 0, 5),
            ("X-RateLimit", 0, 60)
        ),
    ]

    @Test(arguments: cases)
    func `reads what a server says`(_ row: Case) {
        #expect(RateLimitHint.hints(in: row.headers, status: row.status, at: Self.now) == row.hints)
    }
}
