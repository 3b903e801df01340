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

        /// Why a connection must not be used for a host with these pins; `nil` if it holds one of them.
        static func failure(
            of connection: UnsafeMutableRawPointer?,
            toHold pins: Set<Pin>,
            for host: String
        ) -> NetworkError? {
            let chain = read(from: connection)
            guard !chain.isEmpty else {
                return NetworkError(
                    .pinningUnsupported,
                    "the verified chain of \(host) cannot be had, so its pins cannot be checked; nothing was sent",
                    reach: .no
                )
            }
            let holds = chain.contains { pins.contains($0.pin) || pins.contains(.certificate($0.certificate)) }
            if holds { return nil }
            let seen = chain.map(\.pin.description).joined(separator: ", ")
            return NetworkError(
                .pinMismatch,
                "the verified chain of \(host) holds none of its \(pins.count) pins; it has \(seen); nothing was sent",
                reach: .no
            )
        }
    }
#endif
