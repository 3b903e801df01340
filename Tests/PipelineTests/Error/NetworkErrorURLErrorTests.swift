import Foundation
import Pipeline
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct NetworkErrorURLErrorTests {
    @Test(arguments: [
        (URLError.Code.cancelled, NetworkError.Code.cancelled, NetworkError.Reach.maybe),
        (.timedOut, .timedOutIdle, .maybe),
        (.notConnectedToInternet, .offline, .no),
        (.cannotFindHost, .hostNotFound, .no),
        (.cannotConnectToHost, .connectionRefused, .no),
        (.networkConnectionLost, .connectionLost, .maybe),
        (.secureConnectionFailed, .tlsHandshake, .no),
        (.serverCertificateHasBadDate, .tlsExpired, .no),
        (.serverCertificateUntrusted, .tlsUntrusted, .no),
        (.badServerResponse, .protocolViolation, .maybe),
        (.unsupportedURL, .invalidRequest, .no),
        (.unknown, .transportFailed, .maybe),
    ])
    func `reads Foundation's codes`(code: URLError.Code, expected: NetworkError.Code, reach: NetworkError.Reach) {
        let error = NetworkError(URLError(code))

        #expect(error.code == expected)
        #expect(error.reach == reach)
        #expect(error.underlying is URLError)
    }

    #if !canImport(Darwin)
        @Test(arguments: [
            (
                -1, "SSL certificate problem: certificate has expired", NetworkError.Code.tlsExpired,
                NetworkError.Reach.no
            ),
            (-1, "SSL certificate problem: certificate is not yet valid", .tlsExpired, .no),
            (-1, "SSL certificate problem: self-signed certificate", .tlsUntrusted, .no),
            (-1, "SSL certificate problem: unable to get local issuer certificate", .tlsUntrusted, .no),
            (
                -1, "SSL: no alternative certificate subject name matches target host name 'localhost'",
                .tlsWrongHost, .no
            ),
            (-1, "error:0A00010B:SSL routines::wrong version number", .tlsHandshake, .no),
            (-1, "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to localhost:443", .tlsHandshake, .no),
            (
                -1, "OpenSSL SSL_read: error:0A000126:SSL routines::unexpected eof while reading, errno 0",
                .connectionLost, .maybe
            ),
            (-1, "Could not resolve proxy: proxy.test", .proxyFailed, .no),
            (-1, "Received HTTP code 407 from proxy after CONNECT", .proxyFailed, .no),
            (-1, "Could not resolve host: proxy.ssl.test", .hostNotFound, .no),
            (
                -1004, "Failed to connect to tls.test port 443 after 0 ms: Couldn't connect to server",
                .connectionRefused, .no
            ),
            (-1004, "Failed to connect to proxy.test port 443: Network is unreachable", .offline, .no),
            (-1, "transfer closed with 97 bytes remaining to read", .truncated, .maybe),
            (-1, "transfer closed with outstanding read data remaining", .truncated, .maybe),
            (-1, "Error while processing content unencoding: incorrect header check", .contentCodingFailed, .maybe),
            (-1, "Illegal or missing hexadecimal sequence in chunked-encoding", .protocolViolation, .maybe),
            (-1, "Failed writing header", .protocolViolation, .maybe),
            (-1, "Recv failure: Connection reset by peer", .connectionLost, .maybe),
            (-1011, "Empty reply from server", .connectionLost, .maybe),
            (-1002, "Received HTTP/0.9 when not allowed", .protocolViolation, .maybe),
            (-1, "something new", .transportFailed, .maybe),
        ])
        func `reads libcurl's texts`(code: Int, text: String, expected: NetworkError.Code, reach: NetworkError.Reach) {
            let cause = NSError(domain: "libcurl", code: 0, userInfo: [NSLocalizedDescriptionKey: text])
            let error = NetworkError(
                URLError(
                    _nsError: NSError(domain: NSURLErrorDomain, code: code, userInfo: [NSUnderlyingErrorKey: cause])
                )
            )

            #expect(error.code == expected)
            #expect(error.reach == reach)
            #expect(error.explanation == text)
        }
    #endif
}
