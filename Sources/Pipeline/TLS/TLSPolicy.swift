import Foundation

/// What a request asks of transport security, beyond what every transport does anyway: verify the server's certificate
/// against the system's trust roots and the name of the host.
///
///     var tls = TLSPolicy()
///     tls.roots = .system(adding: try Certificate.list(contentsOf: companyRoots))
///     tls.pins = ["api.example.com": ["sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", backup]]
///
/// It can stand in a request (``NetworkRequest/tls``), in a network (``NetworkConfiguration/tls``) and in a transport; the
/// first of these that names one counts, whole. A transport honours the whole policy or refuses the request, before anything
/// is sent; it never ignores a part. A policy speaks for every host, so each hop of a send is judged by its own host's rule.
public struct TLSPolicy: Sendable, Hashable {
    /// A version of TLS.
    public enum Version: Sendable, Hashable, Comparable {
        /// TLS 1.2 (RFC 5246).
        case tls1_2
        /// TLS 1.3 (RFC 8446).
        case tls1_3
    }

    /// The lowest version to accept. If `nil`, the transport's own, which is TLS 1.2 or higher.
    public var minimumVersion: Version?

    /// The authorities that a server's certificate may lead to. The system's unless told otherwise.
    public var roots: TrustRoots

    /// Who the client says it is, where a server asks. Nobody unless told otherwise.
    public var clientIdentity: ClientIdentity?

    /// Certificates and public keys, by host, as a URL names it. The chain that was verified for a host named here must hold
    /// one of its pins, or nothing is sent to it; a host not named here is not pinned.
    public var pins: [String: Set<Pin>]

    /// One host whose certificate is not verified at all, so that anybody on the way can read and change everything. For a
    /// development server; none unless told otherwise. Pins for it are refused, since nothing is verified that could hold
    /// them.
    public var insecureHost: String?

    /// Creates a policy.
    public init(
        minimumVersion: Version? = nil,
        roots: TrustRoots = .system,
        clientIdentity: ClientIdentity? = nil,
        pins: [String: Set<Pin>] = [:],
        insecureHost: String? = nil
    ) {
        self.minimumVersion = minimumVersion
        self.roots = roots
        self.clientIdentity = clientIdentity
        self.pins = pins
        self.insecureHost = insecureHost
    }

    /// The pins of a host; `nil` if it has none.
    package func pins(for host: String) -> Set<Pin>? {
        if pins.isEmpty { return nil }
        if let exact = pins[host] { return exact }
        // One host can be spelled in several ways, and each has a say.
        let others = pins.filter { Self.isSame($0.key, host) }.values
        return others.isEmpty ? nil : others.reduce(into: []) { $0.formUnion($1) }
    }

    /// Whether the certificate of a host goes unverified.
    package func isInsecure(_ host: String) -> Bool {
        insecureHost.map { Self.isSame($0, host) } ?? false
    }

    /// Refuses names of hosts that are none, such as a URL, a pattern, or a name with a port: they would never match, and
    /// their pins would silently count for nothing.
    package func check() throws(MalformedValue) {
        for name in pins.keys { try Self.check(name) }
        if let insecureHost { try Self.check(insecureHost) }
    }

    private static func check(_ name: String) throws(MalformedValue) {
        guard host(name) == nil else { return }
        throw MalformedValue(
            kind: "host of a TLS policy",
            name: name,
            reason: "it is a name or an address alone, without scheme, port and wildcards"
        )
    }

    /// Compares names of hosts as ``Origin`` does, which knows them in lower case and without a dot at the end.
    private static func isSame(_ name: String, _ host: String) -> Bool {
        name == host || self.host(name) == host
    }

    /// A name as an ``Origin`` has it.
    private static func host(_ name: String) -> String? {
        // What would end the host within a URL, or begin it anew. Patterns are for others to resolve.
        if name.contains(where: { "/?#@\\*".contains($0) }) { return nil }
        let hasBrackets = name.hasPrefix("[")
        // Brackets stand around an IPv6 address; Foundation takes them off a name too.
        guard name.contains(":") || !hasBrackets else { return nil }
        let isBareAddress = name.contains(":") && !hasBrackets
        guard let url = URL(string: "https://" + (isBareAddress ? "[\(name)]" : name)), url.port == nil else {
            return nil
        }
        return Origin(url)?.host
    }
}
