import Foundation
import Pipeline
import Testing

struct PinTests {
    private static let hash = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    @Test func `is written as it is read`() throws {
        let pin = try Pin("sha256/\(Self.hash)")

        #expect(pin.description == "sha256/\(Self.hash)")
        #expect(pin == "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
        #expect(throws: Never.self) { try pin.check() }
    }

    @Test(arguments: [
        "", "sha256/", hash, "sha256:\(hash)", "SHA256/\(hash)", "sha1/\(hash)", "sha256/ \(hash)", "sha256/\(hash) ",
        "sha256/\(hash)\n", "sha256//\(hash)", "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU",
        "sha256/47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU=", "sha256/AAAA",
        "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "sha256/\(hash)\(hash)",
        "sha256/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    ])
    func `refuses what is no pin, a literal when it is used`(text: String) {
        let error = #expect(throws: MalformedValue.self) { try Pin(text) }

        #expect(error?.kind == "pin")
        #expect(error?.reason == "a pin is sha256/ and the Base64 of 32 bytes")
        #expect(throws: MalformedValue.self) { try Pin(stringLiteral: text).check() }
    }

    @Test func `holds a whole certificate and does not print it`() {
        let pin = Pin.certificate(Certificate(der: Data([0x30, 0x00])))

        #expect(pin == .certificate(Certificate(der: Data([0x30, 0x00]))))
        #expect(pin != .certificate(Certificate(der: Data([0x30, 0x01, 0x00]))))
        #expect(pin.description == "a certificate of 2 bytes")
        #expect(throws: Never.self) { try pin.check() }
    }

    @Test func `prints a malformed literal without control characters`() {
        let pin: Pin = "sha256/a\u{1B}[2J\nb"
        #expect(pin.description.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }
}
