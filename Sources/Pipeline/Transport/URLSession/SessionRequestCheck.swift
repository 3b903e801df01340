import Foundation

/// Refuses what `URLSession` cannot do, before anything is sent.
enum SessionRequestCheck {
    static func check(_ request: NetworkRequest) throws(NetworkError) {
        try request.check()
        if request.url.user != nil || request.url.password != nil {
            throw NetworkError(
                .invalidRequest,
                "the URL holds a user or a password, which are never sent from there; set an Authorization field",
                reach: .no
            )
        }
        if request.method == .get, !request.body.isEmpty {
            // Foundation fails such a request with "resource exceeds maximum size", which says nothing.
            throw NetworkError(.invalidRequest, "URLSession sends no body with GET; use another method", reach: .no)
        }
        #if !canImport(Network)
            if request.upgrade != nil {
                throw NetworkError(
                    .webSocketUnsupported,
                    "URLSessionTransport leaves HTTP on Apple platforms only; nothing was sent",
                    reach: .no
                )
            }
        #endif
        if let tls = request.tls { try check(tls) }
        #if !canImport(Darwin)
            if Origin(request.url)?.host.contains(":") == true {
                throw NetworkError(
                    .invalidRequest,
                    "URLSession on Linux cannot use an IPv6 address as host; use a name",
                    reach: .no
                )
            }
        #endif
    }

    private static func check(_ tls: TLSPolicy) throws(NetworkError) {
        guard tls.pins.isEmpty else {
            throw NetworkError(
                .pinningUnsupported,
                "URLSessionTransport cannot check pins; nothing was sent",
                reach: .no
            )
        }
        if tls.roots != .system { throw unsupported("URLSessionTransport trusts the authorities of the system only") }
        if tls.clientIdentity != nil { throw unsupported("URLSessionTransport cannot show a client identity") }
        if tls.insecureHost != nil { throw unsupported("URLSessionTransport verifies every host") }
        #if !canImport(Darwin)
            if tls.minimumVersion != nil {
                throw unsupported("URLSession on Linux cannot set a minimum version of TLS")
            }
        #endif
    }

    private static func unsupported(_ reason: String) -> NetworkError {
        NetworkError(.optionUnsupported, "\(reason); nothing was sent", reach: .no)
    }
}
