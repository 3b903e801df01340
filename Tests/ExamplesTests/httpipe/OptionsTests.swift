import Foundation
import Pipeline
import Testing

@testable import httpipe

struct OptionsTests {
    @Test(arguments: [
        ("a.test", "GET", "https://a.test"),
        ("a.test:8443/x?y=http://z", "GET", "https://a.test:8443/x?y=http://z"),
        ("localhost:8080/x", "GET", "http://localhost:8080/x"),
        ("127.0.0.1", "GET", "http://127.0.0.1"),
        ("[::1]:80/", "GET", "http://[::1]:80/"),
        ("127.0.0.1.a.test", "GET", "https://127.0.0.1.a.test"),
        ("http://a.test/%20", "GET", "http://a.test/%20"),
        ("delete a.test", "DELETE", "https://a.test"),
        ("a.test --body x", "POST", "https://a.test"),
        ("PUT a.test --json {}", "PUT", "https://a.test"),
        ("-i -- a.test", "GET", "https://a.test"),
    ])
    func `reads method and URL`(line: String, method: String, url: String) throws {
        let options = try Options(line)
        #expect(options.method.rawValue == method)
        #expect(options.url.absoluteString == url)
    }

    @Test(arguments: [
        ("", "the URL is missing"),
        ("POST", "the URL is missing after POST"),
        ("pins", "the URL is missing after pins"),
        ("pins a.test -i", "pins sends no request and takes no -i"),
        ("--metrics pins --json {} a.test", "pins sends no request and takes no --metrics"),
        ("a.test --metrics=no", "--metrics takes no value"),
        ("--http1.1= a.test", "--http1.1 takes no value"),
        ("GET a.test b.test", "there is more than a method and a URL; quote what has spaces"),
        ("ftp://a.test", "the URL must be an http or https one"),
        ("http:///x", "the URL names no host"),
        ("a.test/[%20c", "the URL is malformed; percent-encode what is not ASCII, spaces and brackets"),
        ("a.test -H secret", "write a header field as -H 'Name: value'"),
        ("a.test --body a --json b", "one of --json and --body, and once"),
        ("a.test --frobnicate", "there is no option --frobnicate"),
        ("a.test -o", "-o needs a value"),
        ("a.test --timeout 0", "--timeout takes seconds, more than 0, or none"),
        ("a.test --deadline nan", "--deadline takes seconds, more than 0, or none"),
        ("a.test --deadline 1e30", "--deadline takes seconds, more than 0, or none"),
        ("a.test --follow some", "--follow is one of: all, same-origin, none"),
        ("a.test --log loud", "--log is one of: error, info, verbose"),
        ("a.test --transport pigeon", "--transport is one of: \(TransportTable.names.joined(separator: ", "))"),
        ("a.test --max-redirects -1", "--max-redirects takes a whole number, 0 or more"),
        ("a.test --limit-body 1k", "--limit-body takes a whole number, 0 or more"),
        ("a.test --accept 2xx", "--accept: write it like 200-299,404"),
    ])
    func `says what cannot be meant`(line: String, complaint: String) {
        let error = #expect(throws: UsageError.self) { try Options(line) }
        #expect(error?.description == complaint)
    }

    @Test func `reads every option`() throws {
        let options = try Options(
            "-i -o out --timeout 1.5 --deadline=none --follow same-origin --max-redirects 3 --log verbose"
                + " --transport urlsession --metrics --accept 200-299,404 --limit-body 10 -H A:1 -H a:2:3 --json @- a.test"
        )
        #expect(options.showsHead)
        #expect(options.file == "out")
        #expect(options.timeout == .milliseconds(1500))
        #expect(options.deadline == .unlimited)
        #expect(options.redirects == RedirectPolicy(.sameOrigin, limit: 3))
        #expect(options.log == .verbose)
        #expect(options.connection.transport == "urlsession")
        #expect(options.showsMetrics)
        #expect(options.accepted == HTTPStatusSet(200...299).union([404]))
        #expect(options.bodyLimit == 10)
        #expect(options.headers.values(of: "a") == ["1", "2:3"])
        #expect(options.payload == Payload("@-", contentType: .json))
        #expect(options.payload?.source == .standardInput)
    }

    @Test(arguments: [
        ("pins a.test", "https://a.test"), ("pins localhost:8443", "https://localhost:8443"),
        ("--proxy none pins http://a.test --http1.1", "http://a.test"),
    ])
    func `pins is a command`(line: String, url: String) throws {
        let options = try Options(line)
        #expect(options.command == .pins)
        #expect(options.url.absoluteString == url)
    }

    @Test(arguments: ["GET pins", "http://pins", "PINS a.test", "a.test"])
    func `pins is a command only where a method would stand, in small letters`(line: String) throws {
        #expect(try Options(line).command == .send)
    }

    @Test func `a longer limit for an attempt lengthens those that would strike before it`() throws {
        let limits = try Options("a.test --timeout 400").request(into: nil).timeLimits
        #expect(limits == TimeLimits(idle: .seconds(400), attempt: .seconds(400), total: .seconds(400)))
        let short = try Options("a.test --timeout 5 --deadline 9").request(into: nil).timeLimits
        #expect(short == TimeLimits(idle: .seconds(30), attempt: .seconds(5), total: .seconds(9)))
        #expect(try Options("a.test").request(into: nil).timeLimits == TimeLimits())
    }
}

extension Options {
    /// Reads a line without quotes.
    init(_ line: String) throws(UsageError) {
        try self.init(arguments: line.split(separator: " ").map(String.init))
    }
}
