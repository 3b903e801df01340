import Foundation
import Pipeline
import Testing

@testable import httpipe

struct TLSOptionsTests {
    private static let one = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    private static let other = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func policy(_ line: String, environment: [String: String] = [:]) throws -> TLSPolicy {
        try Options("a.test \(line)").connection.tls.policy(environment: environment)
    }

    private func complaint(_ line: String) -> String? {
        #expect(throws: UsageError.self) { try policy(line) }?.description
    }

    /// Writes a file and returns its path.
    private func file(_ name: String, _ contents: Data) throws -> String {
        try contents.write(to: scratch[name])
        return scratch[name].path
    }

    @Test func `asks for nothing unless told`() throws {
        #expect(try policy("") == TLSPolicy())
    }

    @Test func `gathers the pins of each host`() throws {
        let line = "--pin A.test=\(Self.one) --pin a.test.=\(Self.other) --pin [::1]=\(Self.one) --pin=::2=\(Self.one)"
        let one = try Pin(Self.one)
        #expect(try policy(line).pins == ["a.test": [one, try Pin(Self.other)], "::1": [one], "::2": [one]])
    }

    @Test(arguments: [
        ("a.test", "write --pin HOST=sha256/…, without a port"),
        ("a.test=", "write --pin HOST=sha256/…, without a port"),
        ("=sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "write --pin HOST=sha256/…, without a port"),
        ("a.test:443=sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "write --pin HOST=sha256/…, without a port"),
        ("[::1]:443=sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "write --pin HOST=sha256/…, without a port"),
        ("https://a.test=x", "write --pin HOST=sha256/…, without a port"),
        ("a.test=sha256/AAAA", "--pin: a pin is sha256/ and the Base64 of 32 bytes"),
    ])
    func `refuses what is no pin`(text: String, expected: String) {
        #expect(complaint("--pin \(text)") == expected)
    }

    @Test func `names the one host that is not verified`() throws {
        #expect(try policy("--insecure-host Dev.test").insecureHost == "dev.test")
        for text in ["dev.test:8443", "https://dev.test", "u@dev.test"] {
            #expect(complaint("--insecure-host \(text)") == "--insecure-host takes the name of a host, without a port")
        }
    }

    @Test func `trusts only the roots of its files`() throws {
        let der = Data([0x30, 0x03, 0x02, 0x01, 0x01])
        let pem = "-----BEGIN CERTIFICATE-----\nMAMCAQI=\n-----END CERTIFICATE-----\n"
        let files = [try file("one.der", der), try file("two.pem", Data(pem.utf8))]
        let expected = TrustRoots.only([
            Certificate(der: der), Certificate(der: Data([0x30, 0x03, 0x02, 0x01, 0x02])),
        ])
        #expect(try policy("--cacert \(files[0]) --cacert \(files[1])").roots == expected)
    }

    @Test func `says which file of roots is no good`() throws {
        let empty = try file("empty", Data())
        #expect(complaint("--cacert \(empty)") == "--cacert \(empty): the text holds no certificate (RFC 7468)")
        let missing = scratch["missing"].path
        #expect(complaint("--cacert \(missing)") == "--cacert \(missing): the file cannot be read")
    }

    @Test func `reads who the client is`() throws {
        let certificate = Data("certificate".utf8)
        let key = Data("-----BEGIN PRIVATE KEY-----".utf8)
        let (certificateFile, keyFile) = (try file("c.pem", certificate), try file("k.pem", key))
        let both = try file("both.pem", certificate + key)
        let archive = try file("archive.PFX", Data([0x30]))
        let environment = ["HTTPIPE_KEY_PASSWORD": "canary"]

        #expect(
            try policy("--client-cert \(certificateFile) --client-key \(keyFile)").clientIdentity
                == .pem(certificates: certificate, privateKey: key)
        )
        #expect(
            try policy("--client-cert \(both)", environment: environment).clientIdentity
                == .pem(certificates: certificate + key, privateKey: certificate + key, password: "canary")
        )
        #expect(
            try policy("--client-cert \(archive)", environment: environment).clientIdentity
                == .pkcs12(Data([0x30]), password: "canary")
        )
        #expect(try policy("--client-cert \(archive)").clientIdentity == .pkcs12(Data([0x30]), password: ""))
    }

    @Test func `says why nobody can be told who the client is`() throws {
        let certificate = try file("c.pem", Data("certificate".utf8))
        let archive = try file("a.p12", Data([0x30]))
        let encrypted = try file("k.pem", Data("-----BEGIN ENCRYPTED PRIVATE KEY-----".utf8))
        let missing = scratch["missing"].path
        #expect(complaint("--client-key \(certificate)") == "--client-key needs a --client-cert")
        #expect(complaint("--client-cert \(missing)") == "--client-cert \(missing): the file cannot be read")
        #expect(
            complaint("--client-cert \(certificate)")
                == "--client-cert \(certificate): the file holds no private key; name one with --client-key"
        )
        #expect(
            complaint("--client-cert \(certificate) --client-key \(certificate)")
                == "--client-key \(certificate): the file holds no private key in PEM"
        )
        #expect(
            complaint("--client-cert \(certificate) --client-key \(encrypted)")
                == "the key is encrypted; put its password into the variable HTTPIPE_KEY_PASSWORD"
        )
        #expect(
            complaint("--client-cert \(archive) --client-key \(certificate)")
                == "--client-key is for PEM; a PKCS #12 file holds its key"
        )
    }
}
