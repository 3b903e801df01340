import Foundation
import Pipeline

/// The nonces that servers have given, and how often each was used: all that sends share.
struct DigestSessions: Sendable {
    private struct Session: Sendable {
        let challenge: DigestChallenge
        /// That of the first answer, for algorithms whose key is that of a session.
        let clientNonce: String
        var count = 0
    }

    /// Those of a server, last used first.
    private var sessions: [Origin: [Session]] = [:]

    /// Servers give a nonce to each client, or one to all for a while. This many are remembered, so that one that is given
    /// again, to sends side by side, is not counted from the start again.
    private static let mostPerServer = 16

    /// The answer to a challenge.
    ///
    /// - Parameter fresh: A new client nonce.
    mutating func reply(to challenge: DigestChallenge, at server: Origin, fresh: String) -> DigestReply {
        var session = remove(challenge, at: server) ?? Session(challenge: challenge, clientNonce: fresh)
        return use(&session, at: server, fresh: fresh)
    }

    /// The answer to the last challenge of a server that covers a URL, if there is one, for a request that was not asked.
    ///
    /// - Parameters:
    ///   - url: Where the request goes.
    ///   - server: The origin of the URL.
    ///   - refused: The realms to leave out.
    ///   - fresh: A new client nonce.
    mutating func reply(
        unaskedFor url: URL,
        at server: Origin,
        without refused: Set<String>,
        fresh: String
    ) -> DigestReply? {
        let known = sessions[server]?.first { session in
            !refused.contains(session.challenge.realm) && session.challenge.covers(url, of: server)
        }
        guard let known, var session = remove(known.challenge, at: server) else { return nil }
        return use(&session, at: server, fresh: fresh)
    }

    /// Forgets what was given for a realm, since the server has refused the credential.
    mutating func forget(realm: String, at server: Origin) {
        sessions[server]?.removeAll { $0.challenge.realm == realm }
    }

    /// Takes the nonce that a server names for the next request (RFC 7616, section 3.5, `nextnonce`).
    mutating func follow(_ carried: DigestDecision.Carried, by nonce: String, at server: Origin, fresh: String) {
        guard nonce != carried.nonce,
            let known = sessions[server]?.first(where: {
                $0.challenge.realm == carried.realm && $0.challenge.nonce == carried.nonce
            })
        else { return }
        var challenge = known.challenge
        challenge.nonce = nonce
        insert(remove(challenge, at: server) ?? Session(challenge: challenge, clientNonce: fresh), at: server)
    }

    private mutating func use(_ session: inout Session, at server: Origin, fresh: String) -> DigestReply {
        session.count += 1
        insert(session, at: server)
        let clientNonce = session.challenge.algorithm.isForSession ? session.clientNonce : fresh
        return DigestReply(challenge: session.challenge, count: session.count, clientNonce: clientNonce)
    }

    private mutating func insert(_ session: Session, at server: Origin) {
        let others = sessions[server, default: []].prefix(Self.mostPerServer - 1)
        sessions[server] = [session] + others
    }

    private mutating func remove(_ challenge: DigestChallenge, at server: Origin) -> Session? {
        let place = sessions[server]?.firstIndex { session in
            session.challenge.nonce == challenge.nonce && session.challenge.realm == challenge.realm
                && session.challenge.algorithm == challenge.algorithm
        }
        return place.flatMap { sessions[server]?.remove(at: $0) }
    }
}
