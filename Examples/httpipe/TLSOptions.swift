import Foundation
import Pipeline

/// What the server must prove, and how the client does.
struct TLSOptions: Sendable {
    private(set) var pins: [String: Set<Pin>] = [:]
    private(set) var insecureHost: String?
    /// Whether a server without a pin is told of rather than refused.
    private(set) var reportsPinsOnly = false
    private var rootFiles: [String] = []
    private var certificateFile: String?
    private var keyFile: String?

    /// Where the password of the key is looked for, since others can see a command line.
    private static let passwordVariable = "HTTPIPE_KEY_PASSWORD"

    /// Reads an option, if it is one of these.
    ///
    /// - Returns: Whether it is.
    mutating func read(_ name: String, from words: inout ArgumentReader) throws(UsageError) -> Bool {
        switch name {
        case "--pin": try pin(words.value(of: name))
        case "--pin-report-only": reportsPinsOnly = true
        case "--cacert": rootFiles.append(try words.value(of: name))
        case "--client-cert": certificateFile = try words.value(of: name)
        case "--client-key": keyFile = try words.value(of: name)
        case "--insecure-host":
            guard let host = Origin.host(try words.value(of: name)) else {
                throw UsageError("--insecure-host takes the name of a host, without a port")
            }
            insecureHost = host
        default: return false
        }
        return true
    }

    /// Refuses options that mean nothing without another.
    func check() throws(UsageError) {
        if reportsPinsOnly, pins.isEmpty { throw UsageError("--pin-report-only needs a --pin") }
    }

    /// Reads `HOST=sha256/…`.
    private mutating func pin(_ text: String) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let host = Origin.host(parts[0]) else {
            throw UsageError("write --pin HOST=sha256/…, without a port")
        }
        do { pins[host, default: []].insert(try Pin(parts[1])) } catch { throw UsageError("--pin: \(error.reason)") }
    }

    /// The policy, with what its files hold.
    ///
    /// - Parameter environment: Where the password of the client's key stands.
    /// - Throws: ``UsageError`` if a file cannot be read, or does not hold what it is named for.
    func policy(environment: [String: String]) throws(UsageError) -> TLSPolicy {
        TLSPolicy(
            roots: try roots(),
            clientIdentity: try clientIdentity(password: environment[Self.passwordVariable]),
            pins: pins.reduce(into: PinRules()) {
                $0[HostPattern(stringLiteral: $1.key)] = PinRule($1.value, isEnforced: !reportsPinsOnly)
            },
            insecureHost: insecureHost
        )
    }

    private func roots() throws(UsageError) -> TrustRoots {
        guard !rootFiles.isEmpty else { return .system }
        var certificates: [Certificate] = []
        for path in rootFiles {
            do {
                certificates += try Certificate.list(contentsOf: URL(fileURLWithPath: path))
            } catch let error as MalformedValue {
                throw UsageError("--cacert \(path): \(error.reason)")
            } catch {
                throw UsageError("--cacert \(path): the file cannot be read")
            }
        }
        return .only(certificates)
    }

    private func clientIdentity(password: String?) throws(UsageError) -> ClientIdentity? {
        guard let certificateFile else {
            guard keyFile == nil else { throw UsageError("--client-key needs a --client-cert") }
            return nil
        }
        let certificates = try Self.contents(of: certificateFile, for: "--client-cert")
        if ["p12", "pfx"].contains(URL(fileURLWithPath: certificateFile).pathExtension.lowercased()) {
            guard keyFile == nil else { throw UsageError("--client-key is for PEM; a PKCS #12 file holds its key") }
            return .pkcs12(certificates, password: password ?? "")
        }
        let key = try keyFile.map { path throws(UsageError) in try Self.contents(of: path, for: "--client-key") }
        let text = key ?? certificates
        guard Self.contains("PRIVATE KEY-----", in: text) else {
            throw UsageError(
                keyFile.map { "--client-key \($0): the file holds no private key in PEM" }
                    ?? "--client-cert \(certificateFile): the file holds no private key; name one with --client-key"
            )
        }
        if password == nil, Self.contains("ENCRYPTED", in: text) {
            throw UsageError("the key is encrypted; put its password into the variable \(Self.passwordVariable)")
        }
        return .pem(certificates: certificates, privateKey: text, password: password)
    }

    private static func contents(of path: String, for name: String) throws(UsageError) -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw UsageError("\(name) \(path): the file cannot be read")
        }
    }

    /// Whether a PEM text holds a word. All kinds of keys begin and end alike, and say in capitals that they are encrypted
    /// (RFC 7468, sections 10 and 11; RFC 1421, section 4.6.1.1).
    private static func contains(_ word: String, in text: Data) -> Bool { text.range(of: Data(word.utf8)) != nil }
}
