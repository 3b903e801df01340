import Foundation
import Pipeline
import PipelineActions
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Values that hold a secret, looked at as a program or a debugger looks at them (S2).
struct SecretsInDumpsTests {
    private static let canary = "zq9canary"

    private struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let value: any Sendable

        init(_ name: String, _ value: any Sendable) {
            testDescription = name
            self.value = value
        }
    }

    private static let url = URL(string: "https://ada:\(canary)@api.test/x?access_token=\(canary)#\(canary)")!

    private static var request: NetworkRequest {
        var request = NetworkRequest(method: .post, url: url, body: .text("password=\(canary)"))
        request.headers = [.authorization: "Bearer \(canary)", .cookie: "id=\(canary)"]
        request.headers.setSensitive(canary, for: "X-Mine")
        request.tls = TLSPolicy(clientIdentity: .pkcs12(Data(canary.utf8), password: canary))
        request.customProperties["own"] = canary
        return request
    }

    private static func all() throws -> [Case] {
        let password = try PasswordCredential(user: canary, password: canary)
        let token = AccessToken(canary, refreshToken: canary)
        let cookie = try Cookie(name: "id", value: canary, domain: "api.test")
        let jar = CookieJar()
        jar.insert(cookie)
        var tls = TLSPolicy()
        tls.clientIdentity = .pem(
            certificates: Data(),
            privateKey: Data(canary.utf8),
            password: canary
        )
        var proxied = CurlTransport.Configuration()
        proxied.proxy = .server(URL(string: "http://a:\(canary)@p.test")!, user: canary, password: canary)
        proxied.tls = tls
        let session = URLSessionConfiguration.ephemeral
        session.httpAdditionalHeaders = ["Authorization": canary]
        var configuration = NetworkConfiguration()
        configuration.tls = tls
        let network = Network(
            baseURL: url,
            actions: [.cookies(jar), .apiKey(canary, in: .query("k"))],
            transport: CurlTransport(configuration: proxied),
            configuration: configuration
        )
        let answer = NetworkResponse(
            status: 200,
            headers: [.setCookie: "id=\(canary)"],
            body: .bytes(Data(canary.utf8)),
            request: request
        )
        let location = HTTPField(name: .location, value: "/?code=\(canary)")
        return [
            Case("password", password), Case("basic", try BasicAuthenticationAction(password)),
            Case("digest", DigestAuthenticationAction(password)), Case("token", token),
            Case("vault", TokenVault(token)), Case("bearer", BearerTokenAction(TokenVault(token))),
            Case("memory store", MemoryTokenStore([.global: token])), Case("cookie", cookie), Case("jar", jar),
            Case("cookies", CookieAction(jar)), Case("identity", tls.clientIdentity!), Case("TLS", tls),
            Case("proxy", proxied.proxy), Case("curl", proxied),
            Case("transport", CurlTransport(configuration: proxied)),
            Case("session", URLSessionTransport(configuration: session)), Case("configuration", configuration),
            Case("network", network), Case("request", request), Case("headers", request.headers),
            Case("body", request.body), Case("response", answer), Case("field", location),
            Case("answer", answer.body), Case("command", CURLCommand(request)),
            Case("event", SendEvent.Kind.attemptBegan(1, request)),
            Case("redirect", SendEvent.Kind.redirected(status: 302, to: request)),
            Case("outcome", SendEvent.Kind.ended(.success(answer))),
            Case("decision", RequestDecision.proceed(request)),
            Case("retry", ResponseDecision.retry(after: .zero, with: request)),
            Case("default headers", DefaultHeadersAction(request.headers)),
        ]
    }

    @Test func `no value that holds a secret shows it`() throws {
        for item in try Self.all() {
            var dumped = ""
            dump(item.value, to: &dumped)
            for (way, text) in [
                ("dump", dumped), ("description", "\(item.value)"), ("reflection", String(reflecting: item.value)),
                ("in a list", "\([item.value])"),
            ] where text.contains(Self.canary) {
                Issue.record("\(item.testDescription), \(way): \(text.prefix(2_000))")
            }
        }
    }
}
