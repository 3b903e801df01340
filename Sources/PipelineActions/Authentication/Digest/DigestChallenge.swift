import Foundation
import Pipeline

/// A challenge of digest authentication that can be answered (RFC 7616, section 3.3).
struct DigestChallenge: Sendable, Hashable {
    let realm: String
    var nonce: String
    let opaque: String?
    let algorithm: DigestAlgorithm
    /// Whether the server named the algorithm; one that did not is not told it back.
    let namesAlgorithm: Bool
    /// Whether the last answer was right but for its nonce, which is too old.
    let isStale: Bool
    /// Whether the server takes the hash of the user name in its place.
    let hashesUser: Bool
    /// What the URLs begin with that the same answer is good for; all of the server's if there are none.
    let domain: [String]

    /// Reads a challenge.
    ///
    /// - Returns: `nil` if it is of another scheme, asks for an algorithm that is not known, has no realm or nonce, or does not
    ///   offer the protection `auth`: what came before RFC 2617 counts nothing and cannot tell a replay.
    init?(_ challenge: AuthenticationChallenge) {
        let parameters = challenge.parameters
        guard challenge.isScheme("Digest"), let realm = challenge.realm, let nonce = parameters["nonce"],
            let algorithm = DigestAlgorithm(name: parameters["algorithm"] ?? DigestAlgorithm.md5.rawValue),
            Self.words(parameters["qop"], separatedBy: ",").contains(where: { $0.lowercased() == "auth" })
        else { return nil }
        self.realm = realm
        self.nonce = nonce
        self.algorithm = algorithm
        namesAlgorithm = parameters["algorithm"] != nil
        opaque = parameters["opaque"]
        isStale = parameters["stale"]?.lowercased() == "true"
        hashesUser = parameters["userhash"]?.lowercased() == "true"
        domain = Self.words(parameters["domain"], separatedBy: " ")
    }

    private static func words(_ text: String?, separatedBy sign: Unicode.Scalar) -> [String] {
        (text ?? "").unicodeScalars.split { $0 == sign || $0 == " " || $0 == "\t" }.map(String.init)
    }

    /// Whether an answer to this challenge may be given without being asked, for another URL of its server (RFC 7616, section
    /// 3.3, `domain`).
    func covers(_ url: URL, of server: Origin) -> Bool {
        guard !domain.isEmpty else { return true }
        let target = url.digestTarget
        return domain.contains { place in
            if place.utf8.first == UInt8(ascii: "/") { return target.hasPrefix(place) }
            guard let place = URL(string: place), Origin(place) == server else { return false }
            return target.hasPrefix(place.digestTarget)
        }
    }
}

extension URL {
    /// Path and query as they stand in the request line (RFC 9112, section 3.2.1).
    var digestTarget: String {
        let url = absoluteURL
        let path = url.path(percentEncoded: true)
        let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        return (path.isEmpty ? "/" : path) + query
    }
}
