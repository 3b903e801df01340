/// The authorities that a server's certificate may lead to.
public struct TrustRoots: Sendable, Hashable {
    /// Whether those of the system are trusted.
    let includesSystem: Bool
    /// Those that are trusted besides.
    let certificates: Set<Certificate>

    /// Those that the system trusts.
    public static let system = TrustRoots(includesSystem: true, certificates: [])

    /// Those that the system trusts, and some more.
    public static func system(adding certificates: [Certificate]) -> TrustRoots {
        TrustRoots(includesSystem: true, certificates: Set(certificates))
    }

    /// These and no others. With an empty list nobody is trusted.
    public static func only(_ certificates: [Certificate]) -> TrustRoots {
        TrustRoots(includesSystem: false, certificates: Set(certificates))
    }
}
