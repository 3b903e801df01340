import Foundation
import Pipeline
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct NetworkRequestURLRequestTests {
    let url = URL(string: "https://api.test/a?b=c")!

    @Test func `carries a URLRequest over`() throws {
        var foreign = URLRequest(url: url)
        foreign.httpMethod = "PATCH"
        foreign.setValue("text/csv", forHTTPHeaderField: "Content-Type")
        foreign.setValue("1", forHTTPHeaderField: "X-B")
        foreign.setValue("2", forHTTPHeaderField: "X-A")
        foreign.httpBody = Data("a,b".utf8)
        foreign.timeoutInterval = 7

        let request = try NetworkRequest(foreign)

        #expect(request.method == .patch)
        #expect(request.url == url)
        #expect(request.headers.map(\.name.spelling) == ["Content-Type", "X-A", "X-B"])
        #expect(request.body.data == Data("a,b".utf8))
        #expect(request.body.contentType == "text/csv")
        #expect(request.timeLimits.idle == .seconds(7))
    }

    @Test func `leaves the time limit to the network where a URLRequest has none of its own`() throws {
        #expect(try NetworkRequest(URLRequest(url: url)).timeLimits == TimeLimits())
    }

    @Test(arguments: ["Content-Length", "transfer-encoding", "Connection"])
    func `drops fields that are the transport's`(name: String) throws {
        var foreign = URLRequest(url: url)
        foreign.setValue("5", forHTTPHeaderField: name)
        foreign.setValue("x", forHTTPHeaderField: "X-Kept")

        #expect(try NetworkRequest(foreign).headers.map(\.name.spelling) == ["X-Kept"])
    }

    static let lost: [(String, NetworkError.Code, @Sendable (inout URLRequest) -> Void)] = [
        ("URL", .invalidRequest, { $0.url = nil }),
        ("httpBodyStream", .invalidRequest, { $0.httpBodyStream = InputStream(data: Data("x".utf8)) }),
        ("cachePolicy", .optionUnsupported, { $0.cachePolicy = .returnCacheDataElseLoad }),
        ("cachePolicy", .optionUnsupported, { $0.cachePolicy = .returnCacheDataDontLoad }),
        ("allowsCellularAccess", .optionUnsupported, { $0.allowsCellularAccess = false }),
    ]

    @Test(arguments: lost.indices)
    func `names what cannot be carried over`(index: Int) {
        let (name, code, change) = Self.lost[index]
        var foreign = URLRequest(url: url)
        change(&foreign)

        let error = #expect(throws: NetworkError.self) { try NetworkRequest(foreign) }

        #expect(error?.code == code)
        #expect(error?.explanation?.contains(name) == true)
    }

    @Test(arguments: [URLRequest.CachePolicy.useProtocolCachePolicy, .reloadIgnoringLocalCacheData])
    func `takes cache policies that ask for no cache`(policy: URLRequest.CachePolicy) throws {
        var foreign = URLRequest(url: url)
        foreign.cachePolicy = policy

        #expect(try NetworkRequest(foreign).url == url)
    }

    @Test func `makes a URLRequest`() throws {
        var request = NetworkRequest(method: .put, url: url, headers: ["Accept": "a/b"], body: .text("hello"))
        request.headers.append(name: "Accept", value: "c/d")
        request.headers.append(name: "Cookie", value: "a=1")
        request.headers.append(name: "Cookie", value: "b=2")
        request.timeLimits.idle = .milliseconds(1500)

        let foreign = try URLRequest(request)

        #expect(foreign.url == url)
        #expect(foreign.httpMethod == "PUT")
        #expect(foreign.value(forHTTPHeaderField: "Accept") == "a/b, c/d")
        #expect(foreign.value(forHTTPHeaderField: "Cookie") == "a=1; b=2")
        #expect(foreign.value(forHTTPHeaderField: "Content-Type") == "text/plain; charset=utf-8")
        #expect(foreign.httpBody == Data("hello".utf8))
        #expect(foreign.timeoutInterval == 1.5)
    }

    @Test(arguments: [Duration?.none, .unlimited])
    func `leaves the timeout alone without an idle limit`(idle: Duration?) throws {
        var request = NetworkRequest(url: url)
        request.timeLimits.idle = idle

        #expect(try URLRequest(request).timeoutInterval == 60)
    }

    static let unsendable: [(NetworkError.Code, @Sendable (inout NetworkRequest) -> Void)] = [
        (.invalidRequest, { $0.url = URL(string: "file:///x")! }),
        (.invalidRequest, { $0.headers = ["X-A": "a\r\nX-B: b"] }),
        (.invalidRequest, { $0.headers = ["Content-Length": "3"] }),
        (.invalidRequest, { $0.method = "A B" }),
        (.invalidRequest, { $0.body = .stream { AsyncStream<Data> { $0.finish() } } }),
        (.invalidRequest, { $0.body = .value(["a"]) }),
        (.fileFailed, { $0.body = .file(URL(fileURLWithPath: "/nowhere/at/all")) }),
        (.optionUnsupported, { $0.tls = TLSPolicy(minimumVersion: .tls1_3) }),
    ]

    @Test(arguments: unsendable.indices)
    func `refuses what a URLRequest cannot hold`(index: Int) {
        let (code, change) = Self.unsendable[index]
        var request = NetworkRequest(url: url)
        change(&request)

        let error = #expect(throws: NetworkError.self) { try URLRequest(request) }

        #expect(error?.code == code)
        #expect(error?.reach == .no)
    }
}
