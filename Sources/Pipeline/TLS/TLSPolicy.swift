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

    /// Certificates and public keys that the verified chains of hosts must hold, or nothing is sent to them; of no host unless
    /// told otherwise.
    public var pins: PinRules

    /// One host whose certificate is not verified at all, so that anybody on the way can read and change everything. For a
    /// development server; none unless told otherwise. Pins for it are refused, since nothing is verified that could hold
    /// them.
    public var insecureHost: String?

    /// Creates a policy.
    public init(
        minimumVersion: Version? = nil,
        roots: TrustRoots = .system,
        clientIdentity: ClientIdentity? = nil,
        pins: PinRules = PinRules(),
        insecureHost: String? = nil
    ) {
        self.minimumVersion = minimumVersion
        self.roots = roots
        self.clientIdentity = clientIdentity
        self.pins = pins
        self.insecureHost = insecureHost
    }

    /// Whether the certificate of a host goes unverified.
    package func isInsecure(_ host: String) -> Bool {
        insecureHost.map { $0 == host || HostPattern.host($0) == host } ?? false
    }

    /// Refuses names of hosts that are none, such as a URL or a name with a port: they would never match, and their rules
    /// would silently count for nothing.
    package func check() throws(MalformedValue) {
        try pins.check()
        guard let insecureHost, HostPattern.host(insecureHost) == nil else { return }
        throw MalformedValue(
            kind: "host of a TLS policy",
            name: insecureHost,
            reason: "it is a name or an address alone, without scheme, port and wildcards"
        )
    }
}
