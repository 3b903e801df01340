/// A host that did not satisfy the pins asked of it: the cause of a `pin-mismatch` error, and what
/// ``SendEvent/Kind/pinViolation(_:)`` tells.
public struct PinViolation: Error, Sendable, Hashable {
    /// What was wrong.
    public enum Reason: Sendable, Hashable {
        /// The verified chain holds no pin of a set of which it must hold one.
        case mismatch
        /// The request goes over plain http, where there is no certificate.
        case plaintext
        /// The host has no rule, and ``PinRules/unlisted`` says that it must have one.
        case unlisted
    }

    /// The host.
    public let host: String
    /// What was wrong.
    public let reason: Reason
    /// The sets of pins of which the chain holds none.
    public let unmet: [Set<Pin>]
    /// The chain that was verified, the server's own certificate first; empty if there is none, or it could not be had.
    public let chain: [VerifiedCertificate]
    /// Whether nothing was sent for that. If not, it is only reported.
    public let isRefused: Bool

    /// Creates a value, for transports.
    public init(
        host: String,
        reason: Reason,
        unmet: [Set<Pin>] = [],
        chain: [VerifiedCertificate] = [],
        isRefused: Bool
    ) {
        self.host = host
        self.reason = reason
        self.unmet = unmet
        self.chain = chain
        self.isRefused = isRefused
    }
}

extension PinViolation: CustomStringConvertible {
    /// A clause that names the host and what was wrong; of a mismatch the hashes of the chain, as pins.
    public var description: String { fault + (isRefused ? "; nothing was sent" : "; it is only reported") }

    private var fault: String {
        switch reason {
        case .plaintext:
            return "\(host) is pinned, and plain http has no certificate that could hold a pin"
        case .unlisted:
            return "\(host) has no pins, and hosts without any are not wanted"
        case .mismatch:
            let count = unmet.reduce(0) { $0 + $1.count }
            let wanted = "\(count) \(count == 1 ? "pin" : "pins")"
            let seen = chain.map(\.pin.description).joined(separator: ", ")
            let isAboutCertificates = unmet.contains { $0.contains(where: \.isCertificate) }
            let certificates = chain.compactMap { try? $0.certificate.fingerprint() }.joined(separator: ", ")
            return
                "the verified chain of \(host) holds none of \(unmet.count > 1 ? "the" : "its") \(wanted); it has \(seen)"
                + (isAboutCertificates ? "; its certificates are \(certificates)" : "")
        }
    }
}
