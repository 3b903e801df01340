import Foundation
import Pipeline

/// What to do with a 401 response: the rules of RFC 7616, section 3.3, as a pure decision.
struct DigestDecision: Sendable, Hashable {
    /// What a request carried.
    struct Carried: Sendable, Hashable {
        let realm: String
        let nonce: String
    }

    /// The challenge to answer, if there is one.
    private(set) var reply: DigestChallenge?
    /// The realm whose credential was refused, if the answer says so.
    private(set) var refusedRealm: String?
    /// Why, for the event monitors.
    let note: DigestNote

    /// A server that finds fault with every nonce, or always asks for another realm, must not be answered for ever.
    static let mostReplies = 4

    /// Decides.
    ///
    /// - Parameters:
    ///   - challenges: What the server offers, as far as it can be answered, in its order.
    ///   - carried: What the request carried; `nil` if it carried nothing.
    ///   - refused: The realms in which the credential was refused before.
    ///   - replies: How many challenges of this hop were answered already.
    init(on challenges: [DigestChallenge], carried: Carried?, refused: Set<String>, replies: Int) {
        let candidates = challenges.filter { challenge in
            guard !refused.contains(challenge.realm) else { return false }
            guard let carried, carried.realm == challenge.realm else { return true }
            return challenge.isStale && challenge.nonce != carried.nonce
        }
        if let carried, challenges.isEmpty || challenges.contains(where: { $0.realm == carried.realm }),
            !candidates.contains(where: { $0.realm == carried.realm })
        {
            refusedRealm = carried.realm
        }
        guard let best = Self.strongest(of: candidates) else {
            note = refusedRealm != nil || !challenges.isEmpty ? .refused : .unanswerable
            return
        }
        guard replies < Self.mostReplies else {
            note = .tooManyReplies
            return
        }
        reply = best
        note = .answering(best.algorithm, isStale: carried?.realm == best.realm)
    }

    /// SHA-256 before MD5; of equals the one that the server names first (RFC 7616, section 3.7).
    private static func strongest(of challenges: [DigestChallenge]) -> DigestChallenge? {
        challenges.first { $0.algorithm.hash == .sha256 } ?? challenges.first
    }
}
