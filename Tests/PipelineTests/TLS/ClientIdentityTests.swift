import Foundation
import Pipeline
import Testing

/// S2: what is secret stays out of every text.
struct ClientIdentityTests {
    private static let password = "canary-password"
    private static let key = Data("canary-key".utf8)

    private static let identities: [ClientIdentity] = [
        .pem(certificates: Data("canary-certificate".utf8), privateKey: key, password: password),
        .pem(certificates: key, privateKey: key),
        .pkcs12(key, password: password),
    ]

    private func texts(of value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(describing: value), String(reflecting: value), dumped]
    }

    private func isSecret(in text: String) -> Bool {
        let bytes = Self.key.map { String($0) }.joined(separator: ", ")
        let hex = Self.key.map { String($0, radix: 16) }.joined()
        return ["canary", bytes, hex, Self.key.base64EncodedString(), "- \(Self.key[0])\n"].contains {
            text.contains($0)
        }
    }

    @Test(arguments: identities)
    func `shows neither key nor password`(identity: ClientIdentity) {
        for text in texts(of: identity) { #expect(!isSecret(in: text), "\(text)") }
    }

    @Test(arguments: identities)
    func `shows neither within a policy or a request`(identity: ClientIdentity) throws {
        let policy = TLSPolicy(clientIdentity: identity)
        var request = NetworkRequest(url: try #require(URL(string: "https://api.test/")))
        request.tls = policy

        for text in texts(of: policy) + texts(of: request) { #expect(!isSecret(in: text), "\(text)") }
    }

    @Test func `finds what it looks for`() {
        for text in [Self.password, "\(Array(Self.key))", Self.key.base64EncodedString()] {
            #expect(isSecret(in: text))
        }
    }

    @Test func `differs by its password`() {
        #expect(ClientIdentity.pkcs12(Self.key, password: "a") != .pkcs12(Self.key, password: "b"))
        #expect(ClientIdentity.pkcs12(Self.key, password: "a") == .pkcs12(Self.key, password: "a"))
    }
}
