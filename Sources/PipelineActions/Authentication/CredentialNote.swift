/// Says that a credential was withheld from a request, and why, as actions tell event monitors.
public struct CredentialNote: Sendable, Hashable, CustomStringConvertible {
    /// Why the request does not get it; never ``CredentialOrigins/Decision/attach(within:)``.
    public let decision: CredentialOrigins.Decision

    public var description: String { "the credential \(decision)" }
}
