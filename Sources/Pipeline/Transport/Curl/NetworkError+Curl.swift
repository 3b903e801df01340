#if canImport(Glibc)
    import CCurl
    import Foundation

    /// What is known of a transfer that libcurl gave up.
    struct CurlFailure {
        /// libcurl's `CURLcode`.
        var code: Int32
        /// What libcurl wrote about it.
        var text: String
        /// Whether the connection that could not be made was one to a proxy.
        var isAtProxy: Bool
        /// The system's `errno` of a connection that could not be made.
        var systemError: Int
        /// OpenSSL's result of the verification of the server's certificate.
        var verification: Int
        /// The same for a proxy's.
        var proxyVerification: Int
        /// The status of the answer to CONNECT, if there was one.
        var proxyStatus: Int
        /// Whether the connection stood.
        var isConnected: Bool
        /// Whether some of the request can have left.
        var mayHaveLeft: Bool
        /// Whether the head of the response was whole.
        var hasHead: Bool
        /// How much of the body came, as it travels, and how much was announced.
        var received: Int
        var announced: Int?
    }

    extension NetworkError {
        /// The error for a transfer that libcurl gave up.
        init(_ failure: CurlFailure) {
            let (code, explanation) = failure.meaning
            self.init(
                code,
                explanation ?? (failure.text.isEmpty ? nil : failure.text),
                underlying: CurlError(code: Int(failure.code), text: failure.text),
                reach: failure.mayHaveLeft ? .maybe : .no
            )
        }
    }

    extension CurlFailure {
        fileprivate var meaning: (NetworkError.Code, String?) {
            if proxyStatus >= 300, !isConnected {
                return (.proxyFailed, "the proxy answered \(proxyStatus) to CONNECT")
            }
            switch Int(code) {
            case CCURL_E_OK:
                return (.connectionLost, "the connection ended within the head of the response")
            case CCURL_E_UNSUPPORTED_PROTOCOL where isConnected:
                return (.protocolViolation, nil)
            case CCURL_E_URL_MALFORMAT, CCURL_E_UNSUPPORTED_PROTOCOL:
                return (.invalidRequest, nil)
            case CCURL_E_COULDNT_RESOLVE_HOST:
                return (.hostNotFound, nil)
            case CCURL_E_COULDNT_RESOLVE_PROXY, CCURL_E_PROXY:
                return (.proxyFailed, nil)
            case CCURL_E_COULDNT_CONNECT:
                return (isAtProxy ? .proxyFailed : connectingCode, nil)
            case CCURL_E_OPERATION_TIMEDOUT:
                return isConnected ? (.timedOutIdle, nil) : (.timedOutConnecting, nil)
            case CCURL_E_PARTIAL_FILE:
                return (.truncated, truncation)
            case CCURL_E_GOT_NOTHING:
                return (.connectionLost, nil)
            case CCURL_E_SEND_FAIL_REWIND:
                return (.connectionLost, "the connection, which had been used before, died before any answer")
            case CCURL_E_SEND_ERROR, CCURL_E_RECV_ERROR:
                return breakOff
            case CCURL_E_HTTP2, CCURL_E_HTTP2_STREAM:
                return http2Code
            case CCURL_E_WEIRD_SERVER_REPLY:
                return (.protocolViolation, nil)
            case CCURL_E_BAD_CONTENT_ENCODING, CCURL_E_WRITE_ERROR:
                // Our own callbacks never refuse without a reason of their own, so this is what a decoder could not read.
                return (.contentCodingFailed, nil)
            default:
                return secureCode.map { ($0, nil) } ?? (.transportFailed, nil)
            }
        }

        private var secureCode: NetworkError.Code? {
            switch Int(code) {
            case CCURL_E_PEER_FAILED_VERIFICATION where proxyVerification != 0: .proxyFailed
            case CCURL_E_PEER_FAILED_VERIFICATION, CCURL_E_SSL_ISSUER_ERROR, CCURL_E_SSL_INVALIDCERTSTATUS:
                verificationCode
            case CCURL_E_SSL_CONNECT_ERROR, CCURL_E_SSL_CIPHER, CCURL_E_SSL_CLIENTCERT: .tlsHandshake
            case CCURL_E_SSL_CERTPROBLEM: .invalidRequest
            case CCURL_E_SSL_CACERT_BADFILE: .transportUnavailable
            default: nil
            }
        }

        /// By OpenSSL's X509_V_ERR_ numbers.
        private var verificationCode: NetworkError.Code {
            switch verification {
            case 9, 10: .tlsExpired  // Not yet valid, expired.
            case 62, 64: .tlsWrongHost  // The name, the address.
            // libcurl compares the name when the chain is good, and asks for OpenSSL's result only after that. Until then its
            // own note of it says 1, which OpenSSL does not give.
            case 0, 1: .tlsWrongHost
            default: .tlsUntrusted
            }
        }

        private var connectingCode: NetworkError.Code {
            switch Int32(systemError) {
            case ECONNREFUSED: .connectionRefused
            case ENETUNREACH, ENETDOWN: .offline
            case ETIMEDOUT: .timedOutConnecting
            default: .connectionFailed
            }
        }

        private var truncation: String {
            announced.map { "the body ended after \(received) of \($0) bytes" }
                ?? "the body ended early, after \(received) bytes"
        }

        private var breakOff: (NetworkError.Code, String?) {
            let text = text.lowercased()
            if !hasHead {
                // In TLS 1.3 a server that does not like the client's certificate says so when the client's handshake is over.
                if text.contains("ssl"), text.contains("alert") { return (.tlsHandshake, nil) }
                let isMalformed =
                    text.contains("http/0.9") || text.contains("http version") || text.contains("unsupported")
                return (isMalformed ? .protocolViolation : .connectionLost, nil)
            }
            if ["chunk", "hexadecimal", "malformed encoding", "illegal"].contains(where: text.contains) {
                return (.protocolViolation, nil)
            }
            if text.contains("unexpected eof") { return (.truncated, truncation) }  // TCP ended, TLS had not.
            if text.contains("reset") || announced == nil { return (.connectionLost, nil) }
            return (.truncated, truncation)
        }

        private var http2Code: (NetworkError.Code, String?) {
            let text = text.lowercased()
            if text.contains("refused_stream") || text.contains("not closed cleanly") || text.contains("goaway") {
                return (hasHead ? .truncated : .connectionLost, nil)
            }
            return (.protocolViolation, nil)
        }
    }
#endif
