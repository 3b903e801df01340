#if canImport(Glibc)
    import CCurl
    import Foundation

    /// The chain of certificates that OpenSSL verified for a connection, the server's own first.
    ///
    /// Not what the server presented: that can hold anything.
    enum VerifiedChain {
        /// Reads the chain; it is empty if nothing was verified, or another time for a session that was resumed.
        static func read(from connection: UnsafeMutableRawPointer?) -> [VerifiedCertificate] {
            (0..<ccurl_tls_chain_count(connection)).compactMap { index in
                var certificate = ccurl_certificate()
                defer {
                    ccurl_tls_free(certificate.der)
                    ccurl_tls_free(certificate.subject)
                }
                guard ccurl_tls_chain_certificate(connection, index, &certificate) == 1, let der = certificate.der
                else {
                    return nil
                }
                return VerifiedCertificate(
                    subject: certificate.subject.map { String(cString: $0) } ?? "",
                    notBefore: Date(timeIntervalSince1970: Double(certificate.not_before)),
                    notAfter: Date(timeIntervalSince1970: Double(certificate.not_after)),
                    pin: .publicKey(sha256: withUnsafeBytes(of: certificate.key_sha256) { Data($0) }),
                    certificate: Certificate(der: Data(bytes: der, count: certificate.der_length))
                )
            }
        }

        /// Judges a connection by the pins of its host.
        ///
        /// - Returns: What it lacks; `nil` if it lacks nothing.
        /// - Throws: ``NetworkError`` `pinning-unsupported` if the chain cannot be had and the rule is enforced.
        static func violation(
            of connection: UnsafeMutableRawPointer?,
            against rule: PinRule,
            for host: String
        ) throws(NetworkError) -> PinViolation? {
            let chain = read(from: connection)
            guard !chain.isEmpty || !rule.isEnforced else {
                throw NetworkError(
                    .pinningUnsupported,
                    "the verified chain of \(host) cannot be had, so its pins cannot be checked; nothing was sent",
                    reach: .no
                )
            }
            let unmet = rule.unmet(by: chain)
            if unmet.isEmpty { return nil }
            return PinViolation(
                host: host,
                reason: .mismatch,
                unmet: unmet,
                chain: chain,
                isRefused: rule.isEnforced
            )
        }
    }

    extension NetworkError {
        /// The error of a host that is refused for its pins.
        init(_ violation: PinViolation) {
            self.init(.pinMismatch, violation.description, underlying: violation, reach: .no)
        }
    }
#endif
