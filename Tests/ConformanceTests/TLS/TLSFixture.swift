import Foundation
import Pipeline

/// The certificates, keys and hashes of `Tests/Fixtures/TLS`; `make_certificates` there tells what each is.
enum TLSFixture {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Fixtures/TLS").standardizedFileURL

    static func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    static func data(_ name: String) throws -> Data { try Data(contentsOf: file(name)) }

    /// The certificates of a PEM file, in their order.
    static func certificates(_ name: String) throws -> [Certificate] {
        try Certificate.list(contentsOf: file(name + ".pem"))
    }

    /// The pin of a public key: of an authority, or of a server's certificate, by the name of its file.
    static func pin(_ name: String) throws -> Pin {
        let pins = try JSONDecoder().decode([String: String].self, from: data("pins.json"))
        guard let pin = pins[name] else { preconditionFailure("no pin of \(name)") }
        return try Pin(pin)
    }

    /// A policy that trusts the authority of the tests and no other.
    static func policy() throws -> TLSPolicy { TLSPolicy(roots: .only(try certificates("root"))) }
}
