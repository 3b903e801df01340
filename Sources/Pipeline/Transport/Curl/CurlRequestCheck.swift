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
            if request.upgrade != nil, request.method != .get || !request.body.isEmpty {
                throw NetworkError(
                    .invalidRequest,
                    "what asks for another protocol is a GET without a body",
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
            guard origin.isSecure, !tls.roots.certificates.isEmpty, let obstacle = library.tlsObstacle else { return }
            throw NetworkError(
                .optionUnsupported,
                "trust roots cannot be added: \(obstacle); nothing was sent",
                reach: .no
            )
        }

        /// Finds what the chain of a host must hold, and tells of what needs no chain to be judged.
        ///
        /// - Returns: The rule to judge the chain by, if there is one.
        static func pins(
            of tls: TLSPolicy,
            for origin: Origin,
            in context: SendContext
        ) throws(NetworkError) -> PinRule? {
            let rule: PinRule
            switch tls.pins.verdict(on: origin.host, at: context.time.date) {
            case .nothing:
                return nil
            case .unlisted(let isRefused):
                try tell(PinViolation(host: origin.host, reason: .unlisted, isRefused: isRefused), in: context)
                return nil
            case .pins(let found):
                rule = found
            }
            do {
                for pin in rule.required.joined() { try pin.check() }
            } catch {
                throw NetworkError(error)
            }
            guard origin.isSecure else {
                let violation = PinViolation(
                    host: origin.host,
                    reason: .plaintext,
                    unmet: rule.required,
                    isRefused: rule.isEnforced
                )
                try tell(violation, in: context)
                return nil
            }
            guard !tls.isInsecure(origin.host) else {
                throw NetworkError(
                    .invalidRequest,
                    "\(origin.host) is pinned and insecure at once; nothing would be verified that could hold a pin",
                    reach: .no
                )
            }
            return rule
        }

        private static func tell(_ violation: PinViolation, in context: SendContext) throws(NetworkError) {
            context.report(.pinViolation(violation))
            if violation.isRefused { throw NetworkError(violation) }
        }
    }
#endif
