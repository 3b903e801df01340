public import Foundation
public import Pipeline

/// The origins that a credential belongs to: it is attached there and nowhere else.
///
///     CredentialOrigins.baseURL                                        the network's own origin; the default
///     CredentialOrigins.these([Origin("https://files.example.com")!])  these and no others
///     CredentialOrigins.baseURL(and: [files])                          both
///
/// Three rules hold whatever the list is. The origin must be secure (https) or this machine, unless
/// ``allowingInsecureHTTP()`` says otherwise. Once a send has turned to an origin outside the list, by a redirect, the
/// credential stays away for the rest of it, also back at home: whoever was in between may have chosen where it goes. And a
/// request that leads elsewhere from the start gets none.
public struct CredentialOrigins: Sendable, Hashable {
    private var includesBaseURL: Bool
    private var others: Set<Origin>
    private var allowsInsecure = false

    private init(includesBaseURL: Bool, others: Set<Origin>) {
        self.includesBaseURL = includesBaseURL
        self.others = others
    }

    /// The origin of the network's base URL. A network without one has none.
    public static let baseURL = CredentialOrigins(includesBaseURL: true, others: [])

    /// These origins and no others.
    public static func these(_ origins: Set<Origin>) -> CredentialOrigins {
        CredentialOrigins(includesBaseURL: false, others: origins)
    }

    /// The origin of the network's base URL, and these.
    public static func baseURL(and others: Set<Origin>) -> CredentialOrigins {
        CredentialOrigins(includesBaseURL: true, others: others)
    }

    /// The same origins, those with plain http to other machines included. Whoever is on the way can read the credential
    /// there, and use it.
    public func allowingInsecureHTTP() -> CredentialOrigins {
        var copy = self
        copy.allowsInsecure = true
        return copy
    }

    /// What to do with a request.
    public enum Decision: Sendable, Hashable {
        /// Attach the credential, bound to these origins: they are for ``/Pipeline/HTTPField/origins``.
        case attach(within: Set<Origin>)
        /// The request leads to this origin, which the credential does not belong to.
        case otherOrigin(Origin)
        /// The request leads to an origin of the list, but over plain http to another machine.
        case insecure(Origin)
        /// The send has turned to this origin before, which the credential does not belong to.
        case hasLeft(to: Origin)
        /// The URL of the request has no origin; the send will be refused.
        case noOrigin
    }

    /// Decides whether a request gets the credential, by where it leads and where its send has been.
    ///
    /// - Parameter request: The request as an action sees it.
    public func decision(for request: NetworkRequest) -> Decision {
        decision(for: request, baseURL: request.context.baseURL)
    }

    /// Decides for a credential that is bound to another base URL than the network's, that of an endpoint type for one.
    ///
    /// - Parameters:
    ///   - request: The request as an action sees it.
    ///   - baseURL: What stands in the place of the network's base URL.
    public func decision(for request: NetworkRequest, baseURL: URL?) -> Decision {
        decision(for: request.url, baseURL: baseURL, visited: request.context.visitedOrigins)
    }

    /// Decides by plain values.
    ///
    /// - Parameters:
    ///   - url: Where the request leads.
    ///   - baseURL: The base URL, if there is one.
    ///   - visited: The origins that the send has turned to so far.
    public func decision(for url: URL, baseURL: URL?, visited: [Origin]) -> Decision {
        guard let target = Origin(url) else { return .noOrigin }
        let base = includesBaseURL ? baseURL.flatMap(Origin.init(_:)) : nil
        // For nearly every request it is the base URL; the set is made for those that get the credential only.
        func isHome(_ origin: Origin) -> Bool { origin == base || others.contains(origin) }
        guard isHome(target) else { return .otherOrigin(target) }
        if let foreign = visited.first(where: { !isHome($0) }) { return .hasLeft(to: foreign) }
        guard target.isSecure || target.isLoopback || allowsInsecure else { return .insecure(target) }
        return .attach(within: base.map { others.union([$0]) } ?? others)
    }
}

extension CredentialOrigins.Decision: CustomStringConvertible {
    /// The decision as the end of a sentence about the credential.
    public var description: String {
        switch self {
        case .attach: "is attached"
        case .otherOrigin(let origin): "does not belong to \(origin)"
        case .insecure(let origin): "is not sent to \(origin), which is neither https nor this machine"
        case .hasLeft(let origin): "is not sent once the send has turned to \(origin)"
        case .noOrigin: "is not sent to a URL without host"
        }
    }
}
