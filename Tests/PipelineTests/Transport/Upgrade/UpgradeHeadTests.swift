import Foundation
import Pipeline
import Testing

struct UpgradeHeadTests {
    private func head(_ url: String, _ headers: HTTPHeaders = [:], userAgent: String? = nil) throws -> String {
        let url = try #require(URL(string: url))
        let request = NetworkRequest(url: url, headers: headers)
        let origin = try #require(Origin(url))
        return String(
            decoding: UpgradeHead.bytes(of: request, upgradingTo: "websocket", at: origin, userAgent: userAgent),
            as: UTF8.self
        )
    }

    @Test(arguments: [
        ("http://h.test", "/", "h.test"), ("https://h.test/", "/", "h.test"),
        ("http://h.test:8080/a/b", "/a/b", "h.test:8080"),
        ("https://h.test:443/a%20b?c=d%2F#e", "/a%20b?c=d%2F", "h.test"), ("http://h.test?q=1", "/?q=1", "h.test"),
        ("http://[::1]:81/x", "/x", "[::1]:81"), ("http://h.test//double", "//double", "h.test"),
    ])
    func `names target and host`(url: String, target: String, host: String) throws {
        let lines = try head(url).components(separatedBy: "\r\n")
        #expect(
            lines == ["GET \(target) HTTP/1.1", "Host: \(host)", "Upgrade: websocket", "Connection: Upgrade", "", ""]
        )
    }

    @Test func `keeps the fields of the request, and its Host and User-Agent`() throws {
        let own: HTTPHeaders = ["Host": "other.test", "X-Empty": "", "User-Agent": "mine"]
        #expect(
            try head("http://h.test/", own, userAgent: "Pipeline").components(separatedBy: "\r\n") == [
                "GET / HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade", "Host: other.test", "X-Empty: ",
                "User-Agent: mine", "", "",
            ]
        )
        #expect(try head("http://h.test/", userAgent: "Pipeline").contains("User-Agent: Pipeline\r\n"))
    }
}
