import Foundation
import Pipeline

/// The answer to a challenge for one request (RFC 7616, section 3.4).
struct DigestReply: Sendable {
    let challenge: DigestChallenge
    /// How many requests, this one included, were sent with the nonce.
    let count: Int
    /// What the client adds, so that the server cannot choose all that is hashed.
    let clientNonce: String

    /// The value of the `Authorization` field.
    ///
    /// - Parameters:
    ///   - credential: User name and password.
    ///   - method: The method of the request.
    ///   - target: Its path and query.
    func authorization(
        _ credential: PasswordCredential,
        method: String,
        target: String
    ) throws(NetworkError) -> String {
        let count = String(count, radix: 16)
        let nonceCount = String(repeating: "0", count: max(0, 8 - count.count)) + count
        let response = try hash(
            try key(of: credential),
            challenge.nonce,
            nonceCount,
            clientNonce,
            "auth",
            try hash(method, target)
        )
        var parameters = [
            try user(credential.user), "realm=\(Self.quoted(challenge.realm))", "uri=\(Self.quoted(target))",
            "nonce=\(Self.quoted(challenge.nonce))", "nc=\(nonceCount)", "cnonce=\(Self.quoted(clientNonce))",
            "qop=auth",
            "response=\"\(response)\"",
        ]
        if challenge.namesAlgorithm { parameters.append("algorithm=\(challenge.algorithm)") }
        if let opaque = challenge.opaque { parameters.append("opaque=\(Self.quoted(opaque))") }
        if challenge.hashesUser { parameters.append("userhash=true") }
        return "Digest " + parameters.joined(separator: ", ")
    }

    /// H(A1) of section 3.4.2.
    private func key(of credential: PasswordCredential) throws(NetworkError) -> String {
        let key = try hash(credential.user, challenge.realm, credential.password)
        return challenge.algorithm.isForSession ? try hash(key, challenge.nonce, clientNonce) : key
    }

    /// The user name: hashed where the server takes that (section 3.4.4), encoded where a quoted string cannot hold it (section
    /// 3.4), or as it is.
    private func user(_ name: String) throws(NetworkError) -> String {
        if challenge.hashesUser { return "username=\"\(try hash(name, challenge.realm))\"" }
        if name.utf8.allSatisfy({ $0 < 0x80 }) { return "username=\(Self.quoted(name))" }
        let encoded = name.addingPercentEncoding(withAllowedCharacters: Self.bareCharacters) ?? ""
        return "username*=UTF-8''\(encoded)"
    }

    /// What may stand as it is in an extended value (RFC 8187, section 3.2.1), without the signs that nobody needs.
    private static let bareCharacters = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    /// The hash of the texts with colons between them, in hexadecimal digits.
    private func hash(_ texts: String...) throws(NetworkError) -> String {
        let digest = try MessageDigest.digest(of: texts.joined(separator: ":"), challenge.algorithm.hash)
        return digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar == "\"" || scalar == "\\" { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
        return "\"\(escaped)\""
    }
}
