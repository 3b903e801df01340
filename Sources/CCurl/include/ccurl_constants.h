// The numbers of libcurl's ABI, in lists that are read twice: here as constants, in assertions.c to compare them.

#ifndef CCURL_CONSTANTS_H
#define CCURL_CONSTANTS_H

// What libcurl names CURL and the name.
#define CCURL_NAMES(X)                                                                                                 \
    X(OPT_WRITEDATA, 10001)                                                                                            \
    X(OPT_URL, 10002)                                                                                                  \
    X(OPT_PROXY, 10004)                                                                                                \
    X(OPT_PROXYUSERPWD, 10006)                                                                                         \
    X(OPT_READDATA, 10009)                                                                                             \
    X(OPT_ERRORBUFFER, 10010)                                                                                          \
    X(OPT_WRITEFUNCTION, 20011)                                                                                        \
    X(OPT_READFUNCTION, 20012)                                                                                         \
    X(OPT_USERAGENT, 10018)                                                                                            \
    X(OPT_HTTPHEADER, 10023)                                                                                           \
    X(OPT_KEYPASSWD, 10026)                                                                                            \
    X(OPT_HEADERDATA, 10029)                                                                                           \
    X(OPT_SSLVERSION, 32)                                                                                              \
    X(OPT_CUSTOMREQUEST, 10036)                                                                                        \
    X(OPT_NOPROGRESS, 43)                                                                                              \
    X(OPT_XFERINFODATA, 10057)                                                                                         \
    X(OPT_XFERINFOFUNCTION, 20219)                                                                                     \
    X(OPT_NOBODY, 44)                                                                                                  \
    X(OPT_UPLOAD, 46)                                                                                                  \
    X(OPT_HTTPPROXYTUNNEL, 61)                                                                                         \
    X(OPT_SSL_VERIFYPEER, 64)                                                                                          \
    X(OPT_CAINFO, 10065)                                                                                               \
    X(OPT_FRESH_CONNECT, 74)                                                                                           \
    X(OPT_HEADERFUNCTION, 20079)                                                                                       \
    X(OPT_HTTPGET, 80)                                                                                                 \
    X(OPT_SSL_VERIFYHOST, 81)                                                                                          \
    X(OPT_HTTP_VERSION, 84)                                                                                            \
    X(OPT_SSLCERTTYPE, 10086)                                                                                          \
    X(OPT_SSLKEYTYPE, 10088)                                                                                           \
    X(OPT_CAPATH, 10097)                                                                                               \
    X(OPT_BUFFERSIZE, 98)                                                                                              \
    X(OPT_NOSIGNAL, 99)                                                                                                \
    X(OPT_ACCEPT_ENCODING, 10102)                                                                                      \
    X(OPT_PRIVATE, 10103)                                                                                              \
    X(OPT_SSL_CTX_FUNCTION, 20108)                                                                                     \
    X(OPT_SSL_CTX_DATA, 10109)                                                                                         \
    X(OPT_PROXYAUTH, 111)                                                                                              \
    X(OPT_INFILESIZE_LARGE, 30115)                                                                                     \
    X(OPT_SSL_SESSIONID_CACHE, 150)                                                                                    \
    X(OPT_CONNECTTIMEOUT_MS, 156)                                                                                      \
    X(OPT_OPENSOCKETFUNCTION, 20163)                                                                                   \
    X(OPT_OPENSOCKETDATA, 10164)                                                                                       \
    X(OPT_SEEKFUNCTION, 20167)                                                                                         \
    X(OPT_SEEKDATA, 10168)                                                                                             \
    X(OPT_CONNECT_ONLY, 141)                                                                                           \
    X(OPT_NOPROXY, 10177)                                                                                              \
    X(OPT_PROTOCOLS, 181)                                                                                              \
    X(OPT_REDIR_PROTOCOLS, 182)                                                                                        \
    X(OPT_RESOLVE, 10203)                                                                                              \
    X(OPT_TCP_KEEPALIVE, 213)                                                                                          \
    X(OPT_CLOSESOCKETFUNCTION, 20208)                                                                                  \
    X(OPT_CLOSESOCKETDATA, 10209)                                                                                      \
    X(OPT_CURLU, 10282)                                                                                                \
    X(UPART_URL, 0)                                                                                                    \
    X(UPART_PATH, 7)                                                                                                   \
    X(UPART_QUERY, 8)                                                                                                  \
    X(U_PATH_AS_IS, 16)                                                                                                \
    X(OPT_HEADEROPT, 229)                                                                                              \
    X(OPT_UNIX_SOCKET_PATH, 10231)                                                                                     \
    X(OPT_PATH_AS_IS, 234)                                                                                             \
    X(OPT_PIPEWAIT, 237)                                                                                               \
    X(OPT_SUPPRESS_CONNECT_HEADERS, 265)                                                                               \
    X(OPT_UPLOAD_BUFFERSIZE, 280)                                                                                      \
    X(OPT_HTTP09_ALLOWED, 285)                                                                                         \
    X(OPT_SSLCERT_BLOB, 40291)                                                                                         \
    X(OPT_SSLKEY_BLOB, 40292)                                                                                          \
    X(INFO_PRIVATE, 0x100015)                                                                                          \
    X(INFO_PRIMARY_IP, 0x100020)                                                                                       \
    X(INFO_RESPONSE_CODE, 0x200002)                                                                                    \
    X(INFO_REQUEST_SIZE, 0x20000C)                                                                                     \
    X(INFO_SSL_VERIFYRESULT, 0x20000D)                                                                                 \
    X(INFO_HTTP_CONNECTCODE, 0x200016)                                                                                 \
    X(INFO_OS_ERRNO, 0x200019)                                                                                         \
    X(INFO_NUM_CONNECTS, 0x20001A)                                                                                     \
    X(INFO_PRIMARY_PORT, 0x200028)                                                                                     \
    X(INFO_HTTP_VERSION, 0x20002E)                                                                                     \
    X(INFO_PROXY_SSL_VERIFYRESULT, 0x20002F)                                                                           \
    X(INFO_TLS_SSL_PTR, 0x40002D)                                                                                      \
    X(INFO_ACTIVESOCKET, 0x50002C)                                                                                     \
    X(INFO_SIZE_UPLOAD_T, 0x600007)                                                                                    \
    X(INFO_SIZE_DOWNLOAD_T, 0x600008)                                                                                  \
    X(INFO_TOTAL_TIME_T, 0x600032)                                                                                     \
    X(INFO_NAMELOOKUP_TIME_T, 0x600033)                                                                                \
    X(INFO_CONNECT_TIME_T, 0x600034)                                                                                   \
    X(INFO_PRETRANSFER_TIME_T, 0x600035)                                                                               \
    X(INFO_STARTTRANSFER_TIME_T, 0x600036)                                                                             \
    X(INFO_APPCONNECT_TIME_T, 0x600038)                                                                                \
    X(MOPT_SOCKETFUNCTION, 20001)                                                                                      \
    X(MOPT_SOCKETDATA, 10002)                                                                                          \
    X(MOPT_PIPELINING, 3)                                                                                              \
    X(MOPT_TIMERFUNCTION, 20004)                                                                                       \
    X(MOPT_TIMERDATA, 10005)                                                                                           \
    X(MOPT_MAXCONNECTS, 6)                                                                                             \
    X(MSG_DONE, 1)                                                                                                     \
    X(PIPE_NOTHING, 0)                                                                                                 \
    X(PIPE_MULTIPLEX, 2)                                                                                               \
    X(PAUSE_RECV, 1)                                                                                                   \
    X(PAUSE_SEND, 4)                                                                                                   \
    X(PROTO_HTTP, 1)                                                                                                   \
    X(PROTO_HTTPS, 2)                                                                                                  \
    X(HEADER_SEPARATE, 1)                                                                                              \
    X(SSLBACKEND_OPENSSL, 1)                                                                                           \
    X(E_OK, 0)                                                                                                         \
    X(E_UNSUPPORTED_PROTOCOL, 1)                                                                                       \
    X(E_FAILED_INIT, 2)                                                                                                \
    X(E_URL_MALFORMAT, 3)                                                                                              \
    X(E_NOT_BUILT_IN, 4)                                                                                               \
    X(E_COULDNT_RESOLVE_PROXY, 5)                                                                                      \
    X(E_COULDNT_RESOLVE_HOST, 6)                                                                                       \
    X(E_COULDNT_CONNECT, 7)                                                                                            \
    X(E_WEIRD_SERVER_REPLY, 8)                                                                                         \
    X(E_HTTP2, 16)                                                                                                     \
    X(E_PARTIAL_FILE, 18)                                                                                              \
    X(E_WRITE_ERROR, 23)                                                                                               \
    X(E_UPLOAD_FAILED, 25)                                                                                             \
    X(E_READ_ERROR, 26)                                                                                                \
    X(E_OUT_OF_MEMORY, 27)                                                                                             \
    X(E_OPERATION_TIMEDOUT, 28)                                                                                        \
    X(E_SSL_CONNECT_ERROR, 35)                                                                                         \
    X(E_ABORTED_BY_CALLBACK, 42)                                                                                       \
    X(E_GOT_NOTHING, 52)                                                                                               \
    X(E_SEND_ERROR, 55)                                                                                                \
    X(E_RECV_ERROR, 56)                                                                                                \
    X(E_SSL_CERTPROBLEM, 58)                                                                                           \
    X(E_SSL_CIPHER, 59)                                                                                                \
    X(E_PEER_FAILED_VERIFICATION, 60)                                                                                  \
    X(E_BAD_CONTENT_ENCODING, 61)                                                                                      \
    X(E_SEND_FAIL_REWIND, 65)                                                                                          \
    X(E_SSL_CACERT_BADFILE, 77)                                                                                        \
    X(E_AGAIN, 81)                                                                                                     \
    X(E_SSL_ISSUER_ERROR, 83)                                                                                          \
    X(E_SSL_INVALIDCERTSTATUS, 91)                                                                                     \
    X(E_HTTP2_STREAM, 92)                                                                                              \
    X(E_PROXY, 97)                                                                                                     \
    X(E_SSL_CLIENTCERT, 98)

// What libcurl names CURL_ and the name.
#define CCURL_UNDERSCORE_NAMES(X)                                                                                      \
    X(POLL_IN, 1)                                                                                                      \
    X(POLL_OUT, 2)                                                                                                     \
    X(POLL_INOUT, 3)                                                                                                   \
    X(POLL_REMOVE, 4)                                                                                                  \
    X(SOCKET_TIMEOUT, -1)                                                                                              \
    X(CSELECT_IN, 1)                                                                                                   \
    X(CSELECT_OUT, 2)                                                                                                  \
    X(CSELECT_ERR, 4)                                                                                                  \
    X(READFUNC_ABORT, 0x10000000)                                                                                      \
    X(READFUNC_PAUSE, 0x10000001)                                                                                      \
    X(SEEKFUNC_OK, 0)                                                                                                  \
    X(SEEKFUNC_FAIL, 1)                                                                                                \
    X(HTTP_VERSION_1_1, 2)                                                                                             \
    X(HTTP_VERSION_2TLS, 4)                                                                                            \
    X(SSLVERSION_TLSv1_2, 6)                                                                                           \
    X(SSLVERSION_TLSv1_3, 7)                                                                                           \
    X(VERSION_LIBZ, 1 << 3)                                                                                            \
    X(VERSION_BROTLI, 1 << 23)                                                                                         \
    X(VERSION_ZSTD, 1 << 26)                                                                                           \
    X(GLOBAL_DEFAULT, 3)

// What came after 7.71, the oldest version that is enough. Older libraries refuse these options, and their headers lack them.
#define CCURL_NAMES_OF_7_80(X)                                                                                         \
    X(OPT_PREREQFUNCTION, 20312)                                                                                       \
    X(OPT_PREREQDATA, 10313)

#define CCURL_NAMES_OF_7_87(X)                                                                                         \
    X(OPT_CA_CACHE_TIMEOUT, 321)                                                                                       \
    X(OPT_QUICK_EXIT, 322)

#define CCURL_CONSTANT(name, value) CCURL_##name = value,

enum {
    CCURL_NAMES(CCURL_CONSTANT)
    CCURL_UNDERSCORE_NAMES(CCURL_CONSTANT)
    CCURL_NAMES_OF_7_80(CCURL_CONSTANT)
    CCURL_NAMES_OF_7_87(CCURL_CONSTANT)
    /// CURLAUTH_BASIC, which libcurl's header makes with a cast.
    CCURL_AUTH_BASIC = 1,
    /// The size of CURLOPT_ERRORBUFFER.
    CCURL_ERROR_SIZE = 256,
};

#endif
