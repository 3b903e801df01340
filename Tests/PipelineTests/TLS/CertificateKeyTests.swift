import Foundation
import Pipeline
import Testing

struct CertificateKeyTests {
    /// NIST's examples for SHA-256, and lengths around those where the padding takes a block more. The hashes of runs of zeros
    /// were made with another program.
    @Test(arguments: [
        ("", "E3:B0:C4:42:98:FC:1C:14:9A:FB:F4:C8:99:6F:B9:24:27:AE:41:E4:64:9B:93:4C:A4:95:99:1B:78:52:B8:55"),
        ("abc", "BA:78:16:BF:8F:01:CF:EA:41:41:40:DE:5D:AE:22:23:B0:03:61:A3:96:17:7A:9C:B4:10:FF:61:F2:00:15:AD"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "24:8D:6A:61:D2:06:38:B8:E5:C0:26:93:0C:3E:60:39:A3:3C:E4:59:64:FF:21:67:F6:EC:ED:D4:19:DB:06:C1"
        ),
    ])
    func `the fingerprint is the SHA-256`(text: String, fingerprint: String) throws {
        #expect(try Certificate(der: Data(text.utf8)).fingerprint() == fingerprint)
    }

    @Test(arguments: [
        (55, "02779466CDEC163811D078815C633F21901413081449002F24AA3E80F0B88EF7"),
        (56, "D4817AA5497628E7C77E6B606107042BBBA3130888C5F47A375E6179BE789FBB"),
        (63, "C7723FA1E0127975E49E62E753DB53924C1BD84B8AC1AC08DF78D09270F3D971"),
        (64, "F5A5FD42D16A20302798EF6ED309979B43003D2320D9F0E8EA9831A92759FB4B"),
        (65, "98CE42DEEF51D40269D542F5314BEF2C7468D401AD5D85168BFAB4C0108F75F7"),
    ])
    func `whatever the length`(count: Int, hash: String) throws {
        let fingerprint = try Certificate(der: Data(count: count)).fingerprint()
        #expect(fingerprint.filter { $0 != ":" } == hash)
    }

    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Fixtures/TLS").standardizedFileURL

    /// OpenSSL counted these.
    private static let pins: [String: String] = {
        let data = try? Data(contentsOf: fixtures.appendingPathComponent("pins.json"))
        return data.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) } ?? [:]
    }()

    @Test func `the pin of a certificate's key is what OpenSSL makes of it`() throws {
        #expect(Self.pins.count == 12)
        for (name, pin) in Self.pins {
            let file = Self.fixtures.appendingPathComponent(name + ".pem")
            let certificate = try #require(Certificate.list(contentsOf: file).first)
            #expect(try Pin.publicKey(of: certificate).description == pin, "\(name)")
        }
    }

    @Test func `what is no certificate has no key`() throws {
        let file = Self.fixtures.appendingPathComponent("good.pem")
        let der = try #require(Certificate.list(contentsOf: file).first).der
        var damaged = [
            Data(), Data([0x30]), Data([0x30, 0x80]), Data([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]), der + [0],
        ]
        damaged += (0..<der.count).map { der.prefix($0) }
        damaged.append(Data([0x31]) + der.dropFirst())
        for data in damaged {
            let error = #expect(throws: MalformedValue.self) { try Pin.publicKey(of: Certificate(der: data)) }
            #expect(error?.kind == "certificate")
        }
    }

    @Test func `no damage to one byte is more than an error`() throws {
        let file = Self.fixtures.appendingPathComponent("good.pem")
        let der = try #require(Certificate.list(contentsOf: file).first).der
        for index in der.indices {
            for value: UInt8 in [0x00, 0x7F, 0x80, 0x84, 0xFF] {
                var other = der
                other[index] = value
                _ = try? Pin.publicKey(of: Certificate(der: other))
            }
        }
    }
}
