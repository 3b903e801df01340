import Foundation
import Pipeline
import Testing

struct CertificateTests {
    private static let first = Certificate(der: Data([0x30, 0x01, 0x05]))
    private static let second = Certificate(der: Data([0x30, 0x02, 0x06, 0x07]))

    private static let one = "-----BEGIN CERTIFICATE-----\nMAEF\n-----END CERTIFICATE-----\n"
    private static let other = "-----BEGIN CERTIFICATE-----\nMAIG\nBw==\n-----END CERTIFICATE-----\n"
    private static let key = "-----BEGIN PRIVATE KEY-----\nMAEF\n-----END PRIVATE KEY-----\n"

    @Test(arguments: [
        (one, [first]), (one + other, [first, second]), (other + one, [second, first]), (one + one, [first, first]),
        (key + one + key + other + key, [first, second]),
        ("Subject: a\n" + one + "\nnotes\n" + other, [first, second]),
        (other.replacing("\n", with: "\r\n"), [second]), (other.replacing("\n", with: "\n\t "), [second]),
        (String(one.dropLast()), [first]), ("\u{FEFF}" + one, [first]),
    ])
    func `reads all certificates of a text, in their order`(text: String, certificates: [Certificate]) throws {
        #expect(try Certificate.list(pem: text) == certificates)
    }

    @Test(arguments: ["", "hello", key, "-----BEGIN PUBLIC KEY-----\nMAEF\n-----END PUBLIC KEY-----\n"])
    func `refuses a text without a certificate`(text: String) {
        let error = #expect(throws: MalformedValue.self) { try Certificate.list(pem: text) }
        #expect(error?.reason == "the text holds no certificate (RFC 7468)")
    }

    @Test(arguments: [
        "-----BEGIN CERTIFICATE-----\nMAEF\n", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n",
        "-----BEGIN CERTIFICATE-----\nMAEFA\n-----END CERTIFICATE-----\n",
        "-----BEGIN CERTIFICATE-----\nMA*EF\n-----END CERTIFICATE-----\n",
        "-----BEGIN CERTIFICATE-----\nMAEF\n-----END PRIVATE KEY-----\n",
        "-----BEGIN CERTIFICATE-----\nMAEF\n\(one)",
    ])
    func `refuses a damaged certificate and says which it is`(text: String) {
        let error = #expect(throws: MalformedValue.self) { try Certificate.list(pem: Self.one + text) }
        #expect(error?.name == "number 2")
    }

    @Test(arguments: [
        (Data((one + other).utf8), [first, second]), (first.der, [first]),
    ])
    func `reads a file in either form`(content: Data, certificates: [Certificate]) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("certificate-\(UUID().uuidString)")
        try content.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }

        #expect(try Certificate.list(contentsOf: file) == certificates)
    }

    @Test func `fails for a file that is not there`() {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("none-\(UUID().uuidString)")
        #expect(throws: CocoaError.self) { try Certificate.list(contentsOf: file) }
    }
}
