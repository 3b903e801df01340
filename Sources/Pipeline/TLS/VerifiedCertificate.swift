public import Foundation

/// A certificate of a chain that was verified.
public struct VerifiedCertificate: Sendable, Hashable {
    /// Whose it is: the distinguished name, as `CN=api.example.com,O=Example` (RFC 4514).
    public let subject: String
    /// Since when it has been valid.
    public let notBefore: Date
    /// Until when it is valid.
    public let notAfter: Date
    /// The pin of its public key.
    public let pin: Pin
    /// The certificate itself.
    public let certificate: Certificate

    /// Creates a value.
    public init(subject: String, notBefore: Date, notAfter: Date, pin: Pin, certificate: Certificate) {
        self.subject = subject
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.pin = pin
        self.certificate = certificate
    }
}
