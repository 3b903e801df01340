import Foundation
import Pipeline
import Testing

@testable import httpipe

struct OptionsTests {
    private static let severalBodies =
        "one of --json, --body, --form, --multipart and --upload; --form and --multipart repeat"

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
        ("a.test --form a=b", "POST", "https://a.test"),
        ("a.test --multipart a=b", "POST", "https://a.test"),
        ("a.test --upload file", "PUT", "https://a.test"),
        ("a.test --download", "GET", "https://a.test"),
        ("--download a.test", "GET", "https://a.test"),
        ("--download=folder a.test", "GET", "https://a.test"),
        ("--download post a.test", "POST", "https://a.test"),
        ("GET --download a.test", "GET", "https://a.test"),
        ("a.test --download folder", "GET", "https://a.test"),
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
        ("a.test --body a --json b", severalBodies),
        ("a.test --form a=b --multipart a=b", severalBodies),
        ("a.test --upload a --upload b", severalBodies),
        ("a.test --form a", "write --form NAME=VALUE"),
        ("a.test --multipart =a", "write --multipart NAME=VALUE"),
        ("a.test --multipart a=@", "--multipart K=@FILE needs a file"),
        ("a.test --query a", "write --query NAME=VALUE"),
        ("a.test --resume", "--resume needs --download"),
        ("a.test --download -o x", "one of -o and --download"),
        ("a.test --download --lines", "--download takes the bytes as they are, not --lines or --sse"),
        ("a.test --sse --upload x", "--sse takes no --upload"),
        ("a.test --sse -i", "--sse takes no -i"),
        ("a.test --sse --metrics", "--sse takes no --metrics"),
        ("a.test --sse --progress", "--sse takes no --progress"),
        ("a.test --sse --accept 200", "--sse takes no --accept"),
        ("--download folder a.test", "write --download behind the URL, or --download=folder"),
        ("a.test --sse -o x", "-o takes the bytes as they are, not --lines or --sse; redirect the output"),
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
        #expect(options.result.file == "out")
        #expect(options.timeout == .milliseconds(1500))
        #expect(options.deadline == .unlimited)
        #expect(options.redirects == RedirectPolicy(.sameOrigin, limit: 3))
        #expect(options.log == .verbose)
        #expect(options.connection.transport == "urlsession")
        #expect(options.result.showsMetrics)
        #expect(options.result.accepted == HTTPStatusSet(200...299).union([404]))
        #expect(options.result.bodyLimit == 10)
        #expect(options.headers.values(of: "a") == ["1", "2:3"])
        #expect(options.body.isJSON)
        #expect(options.body.body.contentType == "application/json")
        #expect(options.body.body.length == nil)
    }

    @Test(arguments: [
        ("a.test --download", "."), ("--download a.test", "."), ("a.test --download -i", "."),
        ("a.test --download folder", "folder"), ("--download=folder a.test", "folder"),
        ("GET --download a.test", "."), ("POST a.test --download folder --resume", "folder"),
    ])
    func `a download has a place only where it cannot be the URL`(line: String, place: String) throws {
        #expect(try Options(line).result.download == place)
    }

    @Test func `items of the query are added to those of the URL`() throws {
        let request = try Options("a.test/?a=1 --query b=2 --query c==&=").request(.stream)
        #expect(request.url.absoluteString == "https://a.test/?a=1&b=2&c=%3D%26%3D")
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
        let limits = try Options("a.test --timeout 400").request(.stream).timeLimits
        #expect(limits == TimeLimits(idle: .seconds(400), attempt: .seconds(400), total: .seconds(400)))
        let short = try Options("a.test --timeout 5 --deadline 9").request(.stream).timeLimits
        #expect(short == TimeLimits(idle: .seconds(30), attempt: .seconds(5), total: .seconds(9)))
        #expect(try Options("a.test").request(.stream).timeLimits == TimeLimits())
    }
}

extension Options {
    /// Reads a line without quotes.
    init(_ line: String) throws(UsageError) {
        try self.init(arguments: line.split(separator: " ").map(String.init))
    }
}
