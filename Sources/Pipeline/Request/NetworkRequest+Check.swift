import Foundation

extension NetworkRequest {
    /// Refuses what must not be sent: a URL without host or of another scheme, and names and values that would break the
    /// message apart or frame it twice (RFC 9110, sections 5.1, 5.5 and 9.1; RFC 9112, section 6.1). And a TLS policy for
    /// hosts that are none, which would not be kept for the ones that were meant.
    ///
    /// - Returns: Where the request goes.
    @discardableResult
    func check() throws(NetworkError) -> Origin {
        guard let origin = Origin(url) else {
            throw NetworkError(.invalidRequest, "the URL is not absolute; it needs a scheme and a host", reach: .no)
        }
        guard origin.scheme == "https" || origin.scheme == "http" else {
            throw NetworkError(.invalidRequest, "the scheme \"\(origin.scheme)\" is neither http nor https", reach: .no)
        }
        do {
            try method.check()
            try headers.check()
            try tls?.check()
        } catch {
            throw NetworkError(error)
        }
        return origin
    }

    /// Takes off the secrets that are bound to other origins (``HTTPField/origins``). An action that attached one may have
    /// stood further out than an action that sent the request elsewhere.
    mutating func withholdSecrets(from origin: Origin) {
        func isBoundElsewhere(_ field: HTTPField) -> Bool {
            guard let origins = field.origins, field.isSensitive else { return false }
            return !origins.contains(origin)
        }
        if headers.contains(where: isBoundElsewhere) { headers.removeAll(where: isBoundElsewhere) }
    }
}
