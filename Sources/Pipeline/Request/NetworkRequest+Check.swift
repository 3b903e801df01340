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
}
