#if canImport(Glibc)
    import Foundation

    /// Refuses what must not or cannot be sent, before anything is.
    enum CurlRequestCheck {
        /// Checks what this transport asks of a request beyond what ``NetworkRequest/check()`` does.
        static func check(_ request: NetworkRequest) throws(NetworkError) {
            if request.url.user != nil || request.url.password != nil {
                throw NetworkError(
                    .invalidRequest,
                    "the URL holds a user or a password, which are never sent from there; set an Authorization field",
                    reach: .no
                )
            }
            if request.method == .head, !request.body.isEmpty {
                throw NetworkError(.invalidRequest, "HEAD is sent without a body; use another method", reach: .no)
            }
        }

        /// Checks that a policy can be honoured for a host.
        static func check(_ tls: TLSPolicy, for origin: Origin, isProbe: Bool) throws(NetworkError) {
            let library = try CurlLibrary.shared.get()
            do { try tls.check() } catch { throw NetworkError(error) }
            if isProbe || !tls.pins.isEmpty {
                // Whatever host it is: the next hop may be one of those named.
                if let obstacle = library.pinObstacle {
                    throw NetworkError(.pinningUnsupported, "\(obstacle); nothing was sent", reach: .no)
                }
            }
            if isProbe, tls.isInsecure(origin.host) {
                throw NetworkError(
                    .invalidRequest,
                    "\(origin.host) is not verified under this policy, so it has no verified chain",
                    reach: .no
                )
            }
            if let pins = tls.pins(for: origin.host) { try check(pins, of: tls, for: origin) }
            guard origin.isSecure, !tls.roots.certificates.isEmpty, let obstacle = library.tlsObstacle else { return }
            throw NetworkError(
                .optionUnsupported,
                "trust roots cannot be added: \(obstacle); nothing was sent",
                reach: .no
            )
        }

        private static func check(_ pins: Set<Pin>, of tls: TLSPolicy, for origin: Origin) throws(NetworkError) {
            do {
                for pin in pins { try pin.check() }
            } catch {
                throw NetworkError(error)
            }
            guard origin.isSecure else {
                throw NetworkError(
                    .pinMismatch,
                    "\(origin.host) is pinned, and plain http has no certificate that could hold a pin; nothing was sent",
                    reach: .no
                )
            }
            guard !tls.isInsecure(origin.host) else {
                throw NetworkError(
                    .invalidRequest,
                    "\(origin.host) is pinned and insecure at once; nothing would be verified that could hold a pin",
                    reach: .no
                )
            }
        }
    }
#endif
