package import Foundation

/// The digests in a `Content-Digest` or `Repr-Digest` field that can be checked (RFC 9530).
package struct DigestField: Sendable, Hashable {
    /// The digests by SHA-256 and SHA-512. Those of other functions are left out: they are too weak, or not known here.
    package let digests: [HashAlgorithm: Data]

    /// Reads the value of the field, a dictionary of byte sequences (RFC 9651, section 3.2).
    ///
    /// - Parameter field: The value; several lines are joined with commas.
    /// - Returns: `nil` if it is no dictionary, or what stands under a function's name is no byte sequence: such a field is
    ///   ignored as a whole.
    package init?(_ field: String) {
        guard let members = StructuredDictionary(field)?.members else { return nil }
        var digests: [HashAlgorithm: Data] = [:]
        for (name, algorithm) in ["sha-256": HashAlgorithm.sha256, "sha-512": .sha512] {
            guard let member = members[name] else { continue }
            guard case .bytes(let digest) = member else { return nil }
            digests[algorithm] = digest
        }
        self.digests = digests
    }
}
