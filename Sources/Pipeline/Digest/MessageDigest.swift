public import Foundation

/// The digest of a message, made while the message passes by (FIPS 180-4).
///
///     var digest = try MessageDigest(.sha256)
///     for try await chunk in body { digest.update(chunk) }
///     let field = "sha-256=:\(digest.finalized().base64EncodedString()):"
///
/// It is a value: a copy goes on by itself from where the original stood.
///
/// The functions are the system's. On Apple platforms they always exist; on Linux they are those of the OpenSSL that libcurl
/// stands on, found when they are first asked for.
public struct MessageDigest: Sendable {
    /// The hash function.
    public let algorithm: HashAlgorithm

    private var hash: SystemHash

    /// Begins the digest of an empty message.
    ///
    /// - Throws: ``NetworkError`` `hash-unavailable` if the system does not have the function: there is no OpenSSL behind
    ///   libcurl, or it keeps to FIPS 140 and refuses MD5.
    public init(_ algorithm: HashAlgorithm) throws(NetworkError) {
        self.algorithm = algorithm
        hash = try SystemHash(algorithm)
    }

    /// The digest of a whole message.
    ///
    /// - Throws: ``NetworkError`` `hash-unavailable` if the system does not have the function.
    public static func digest(
        of message: some ContiguousBytes,
        _ algorithm: HashAlgorithm
    ) throws(NetworkError) -> Data {
        var digest = try MessageDigest(algorithm)
        digest.update(message)
        return digest.finalized()
    }

    /// The digest of a whole text in UTF-8.
    ///
    /// - Throws: ``NetworkError`` `hash-unavailable` if the system does not have the function.
    public static func digest(of text: String, _ algorithm: HashAlgorithm) throws(NetworkError) -> Data {
        try digest(of: Array(text.utf8), algorithm)
    }

    /// Adds bytes to the end of the message.
    public mutating func update(_ bytes: some ContiguousBytes) {
        bytes.withUnsafeBytes { hash.update($0) }
    }

    /// The digest of the message so far. The message can go on afterwards.
    ///
    /// - Returns: As many bytes as ``HashAlgorithm/length`` says.
    public func finalized() -> Data {
        hash.finalized()
    }
}

extension MessageDigest: CustomStringConvertible, CustomReflectable {
    /// The hash function; the digest can be as secret as the message.
    public var description: String { "MessageDigest(\(algorithm))" }

    public var customMirror: Mirror {
        Mirror(self, children: ["algorithm": algorithm], displayStyle: .struct)
    }
}
