import Foundation
import Pipeline
import Testing

/// What it cannot honour of a policy it refuses, before anything is sent, whatever the scheme.
@Suite(.timeLimit(.minutes(3)))
struct URLSessionTransportRefusalTests {
    private static let policies: [(String, NetworkError.Code, @Sendable () throws -> TLSPolicy)] = [
        ("pins", .pinningUnsupported, { TLSPolicy(pins: ["localhost": [try TLSFixture.pin("good")]]) }),
        ("pins of another host", .pinningUnsupported, { TLSPolicy(pins: ["a.test": [try TLSFixture.pin("good")]]) }),
        ("roots", .optionUnsupported, { try TLSFixture.policy() }),
        ("no roots", .optionUnsupported, { TLSPolicy(roots: .only([])) }),
        (
            "an identity", .optionUnsupported,
            { TLSPolicy(clientIdentity: .pkcs12(try TLSFixture.data("client.p12"), password: "secret")) }
        ),
        ("an insecure host", .optionUnsupported, { TLSPolicy(insecureHost: "localhost") }),
    ]

    @Test(arguments: policies.indices)
    func `refuses what it cannot honour`(index: Int) async throws {
        let (name, code, makePolicy) = Self.policies[index]
        let server = try await TLSServer("good")
        var request = NetworkRequest(url: server.url())
        request.tls = try makePolicy()

        let error = await #expect(throws: NetworkError.self, "\(name)") {
            try await URLSessionTransport().send(request)
        }

        #expect(error?.code == code, "\(name)")
        #expect(error?.reach == .no)
        #expect(try await server.log().connections == 0)
    }

    #if !canImport(Darwin)
        @Test func `refuses a minimum version`() async throws {
            let server = try await TLSServer("good")
            var request = NetworkRequest(url: server.url())
            request.tls = TLSPolicy(minimumVersion: .tls1_2)

            let error = await #expect(throws: NetworkError.self) { try await URLSessionTransport().send(request) }

            #expect(error?.code == .optionUnsupported)
            #expect(error?.reach == .no)
            #expect(try await server.log().connections == 0)
        }
    #endif
}
