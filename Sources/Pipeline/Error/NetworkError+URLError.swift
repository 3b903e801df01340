public import Foundation

extension NetworkError {
    /// The error for a failure of Foundation's URL loading.
    ///
    /// On Linux many failures have the code "unknown"; there the text that libcurl gave tells them apart.
    public init(_ error: URLError) {
        let (code, reach) = Self.table[error.code] ?? Self.codeByText(error) ?? (.transportFailed, .maybe)
        self.init(code, Self.libraryText(of: error), underlying: error, reach: reach)
    }

    private static let table: [URLError.Code: (Code, Reach)] = [
        .cancelled: (.cancelled, .maybe),
        .timedOut: (.timedOutIdle, .maybe),
        .notConnectedToInternet: (.offline, .no),
        .dataNotAllowed: (.offline, .no),
        .internationalRoamingOff: (.offline, .no),
        .cannotFindHost: (.hostNotFound, .no),
        .dnsLookupFailed: (.hostNotFound, .no),
        .cannotConnectToHost: (.connectionRefused, .no),
        .networkConnectionLost: (.connectionLost, .maybe),
        .serverCertificateUntrusted: (.tlsUntrusted, .no),
        .serverCertificateHasUnknownRoot: (.tlsUntrusted, .no),
        .serverCertificateHasBadDate: (.tlsExpired, .no),
        .serverCertificateNotYetValid: (.tlsExpired, .no),
        .secureConnectionFailed: (.tlsHandshake, .no),
        .clientCertificateRejected: (.tlsHandshake, .no),
        .clientCertificateRequired: (.tlsHandshake, .no),
        .badURL: (.invalidRequest, .no),
        .unsupportedURL: (.invalidRequest, .no),
        .badServerResponse: (.protocolViolation, .maybe),
        .cannotParseResponse: (.protocolViolation, .maybe),
        .zeroByteResource: (.connectionLost, .maybe),
        .cannotDecodeRawData: (.contentCodingFailed, .maybe),
        .cannotDecodeContentData: (.contentCodingFailed, .maybe),
        .dataLengthExceedsMaximum: (.responseTooLarge, .maybe),
        .httpTooManyRedirects: (.redirectRefused, .maybe),
        .cannotOpenFile: (.fileFailed, .no),
        .fileDoesNotExist: (.fileFailed, .no),
    ]

    /// What libcurl writes, in lower case, and what it means. The first that fits counts.
    private static let texts: [(String, Code, Reach)] = [
        ("certificate has expired", .tlsExpired, .no),
        ("not yet valid", .tlsExpired, .no),
        ("does not match target host", .tlsWrongHost, .no),
        ("no alternative certificate subject name", .tlsWrongHost, .no),
        ("self-signed certificate", .tlsUntrusted, .no),
        ("self signed certificate", .tlsUntrusted, .no),
        ("unable to get local issuer", .tlsUntrusted, .no),
        ("certificate verify failed", .tlsUntrusted, .no),
        ("peer certificate", .tlsUntrusted, .no),
        ("certificate problem", .tlsUntrusted, .no),
        ("ssl", .tlsHandshake, .no),
        ("tls", .tlsHandshake, .no),
        ("could not resolve proxy", .proxyFailed, .no),
        ("proxy", .proxyFailed, .no),
        ("could not resolve host", .hostNotFound, .no),
        ("connection refused", .connectionRefused, .no),
        ("network is unreachable", .offline, .no),
        ("no route to host", .connectionFailed, .no),
        ("failed to connect", .connectionFailed, .no),
        ("bytes remaining to read", .truncated, .maybe),
        ("transfer closed", .truncated, .maybe),
        ("outstanding read data", .truncated, .maybe),
        ("chunk", .truncated, .maybe),
        ("content encoding", .contentCodingFailed, .maybe),
        ("gzip", .contentCodingFailed, .maybe),
        ("deflate", .contentCodingFailed, .maybe),
        ("empty reply", .connectionLost, .maybe),
        ("connection reset", .connectionLost, .maybe),
        ("recv failure", .connectionLost, .maybe),
        ("send failure", .connectionLost, .maybe),
        ("unsupported http", .protocolViolation, .maybe),
        ("http/0.9", .protocolViolation, .maybe),
        ("weird server reply", .protocolViolation, .maybe),
    ]

    private static func codeByText(_ error: URLError) -> (Code, Reach)? {
        guard let text = libraryText(of: error)?.lowercased() else { return nil }
        return texts.first { text.contains($0.0) }.map { ($0.1, $0.2) }
    }

    /// What the library underneath wrote, if it wrote anything. It names hosts and ports, never headers or queries.
    private static func libraryText(of error: URLError) -> String? {
        #if canImport(Darwin)
            return nil
        #else
            guard let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError else {
                return error.userInfo[NSLocalizedDescriptionKey] as? String
            }
            return underlying.localizedDescription
        #endif
    }
}
