/// What a request asks of transport security, beyond what the system checks anyway.
///
/// A transport honours the whole policy or refuses the request; it never ignores a part of it.
public struct TLSPolicy: Sendable, Hashable {
    /// A version of TLS.
    public enum Version: Sendable, Hashable, Comparable {
        /// TLS 1.2 (RFC 5246).
        case tls1_2
        /// TLS 1.3 (RFC 8446).
        case tls1_3
    }

    /// The lowest version to accept; the system's choice if `nil`.
    public var minimumVersion: Version?

    /// SHA-256 hashes of public keys, as `sha256/…` in Base64, by host. The verified chain of a host named here must hold
    /// one of its keys.
    public var pins: [String: Set<String>]

    /// Creates a policy.
    public init(minimumVersion: Version? = nil, pins: [String: Set<String>] = [:]) {
        self.minimumVersion = minimumVersion
        self.pins = pins
    }
}
