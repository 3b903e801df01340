public import Foundation

extension NetworkError {
    /// The error for a failure of Foundation's URL loading.
    ///
    /// On Linux many failures have the code "unknown" or one that says too little; there the text that libcurl gave tells
    /// them apart.
    public init(_ error: URLError) {
        let (code, reach) = Self.codeByText(error) ?? Self.table[error.code] ?? (.transportFailed, .maybe)
        self.init(code, Self.libraryText(of: error), underlying: error, reach: reach)
    }

    private static let table: [URLError.Code: (Code, Reach)] = [
        .cancelled: (.cancelled, .maybe),
        .userCancelledAuthentication: (.cancelled, .maybe),
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

    /// The codes that say too little on Linux: an answer that is no HTTP comes as an unsupported URL.
    private static let vague: Set<URLError.Code> = [
        .unknown, .badServerResponse, .unsupportedURL, .cannotConnectToHost, .secureConnectionFailed,
        .networkConnectionLost,
    ]

    /// How libcurl's texts begin, in lower case, and what they mean. The first that fits counts.
    ///
    /// Beginnings, because the names of hosts follow and can hold any word.
    private static let beginnings: [(String, Code, Reach)] = [
        ("could not resolve proxy", .proxyFailed, .no),
        ("proxy connect aborted", .proxyFailed, .no),
        ("received http code", .proxyFailed, .no),  // "… 407 from proxy after CONNECT"
        ("could not resolve host", .hostNotFound, .no),
        ("ssl certificate problem: certificate has expired", .tlsExpired, .no),
        ("ssl certificate problem: certificate is not yet valid", .tlsExpired, .no),
        ("ssl certificate problem", .tlsUntrusted, .no),
        ("server certificate verification failed", .tlsUntrusted, .no),
        ("ssl: no alternative certificate subject name", .tlsWrongHost, .no),
        ("ssl: certificate subject name", .tlsWrongHost, .no),
        ("ssl: unable to obtain common name", .tlsWrongHost, .no),
        // What was read or written after the handshake is no part of it.
        ("openssl ssl_read", .connectionLost, .maybe),
        ("openssl ssl_write", .connectionLost, .maybe),
        ("ssl_write", .connectionLost, .maybe),
        ("ssl", .tlsHandshake, .no),
        ("openssl", .tlsHandshake, .no),
        ("error:", .tlsHandshake, .no),  // OpenSSL's own text, such as "error:0A00010B:SSL routines::wrong version".
        ("tls", .tlsHandshake, .no),
        ("empty reply", .connectionLost, .maybe),
        ("recv failure", .connectionLost, .maybe),
        ("send failure", .connectionLost, .maybe),
        ("connection died", .connectionLost, .maybe),
        ("transfer closed", .truncated, .maybe),
        ("end of response with", .truncated, .maybe),
        ("illegal or missing hexadecimal", .protocolViolation, .maybe),
        ("malformed encoding", .protocolViolation, .maybe),
        ("problem in the chunked", .protocolViolation, .maybe),
        ("error while processing content unencoding", .contentCodingFailed, .maybe),
        ("unrecognized content encoding", .contentCodingFailed, .maybe),
        ("failed writing header", .protocolViolation, .maybe),  // Foundation cannot read a field that is not UTF-8.
        ("received http/0.9", .protocolViolation, .maybe),
        ("unsupported http version", .protocolViolation, .maybe),
        ("weird server reply", .protocolViolation, .maybe),
        ("invalid content-length", .protocolViolation, .maybe),
        ("header without colon", .protocolViolation, .maybe),
        ("nul byte in header", .protocolViolation, .maybe),
        ("too large response headers", .protocolViolation, .maybe),
        ("a value or data field grew larger", .protocolViolation, .maybe),
    ]

    /// How the texts about a connection that was not made end.
    private static let endings: [(String, Code, Reach)] = [
        ("connection refused", .connectionRefused, .no),
        ("network is unreachable", .offline, .no),
        ("no route to host", .connectionFailed, .no),
        ("connection timed out", .timedOutConnecting, .no),
    ]

    private static func codeByText(_ error: URLError) -> (Code, Reach)? {
        guard vague.contains(error.code), let text = libraryText(of: error)?.lowercased() else { return nil }
        let known = beginnings.first { text.hasPrefix($0.0) } ?? endings.first { text.hasSuffix($0.0) }
        return known.map { ($0.1, $0.2) }
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
