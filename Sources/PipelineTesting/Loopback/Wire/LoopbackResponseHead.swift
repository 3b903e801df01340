import Foundation

/// A status line with header fields, rendered once.
struct LoopbackResponseHead: Sendable {
    let status: Int
    let headers: [(name: String, value: String)]
    /// The bytes up to the empty line, which is left out so that a field can still be added.
    let bytes: [UInt8]
    /// Whether the head itself says `Connection: close`.
    let saysClose: Bool

    init(status: Int, headers: [(name: String, value: String)]) {
        self.status = status
        self.headers = headers
        var text = "HTTP/1.1 \(status) \(Self.reasons[status] ?? "")\r\n"
        var saysClose = false
        for (name, value) in headers {
            text += "\(name): \(value)\r\n"
            saysClose = saysClose || (name.equalsIgnoringCase("Connection") && value.equalsIgnoringCase("close"))
        }
        bytes = Array(text.utf8)
        self.saysClose = saysClose
    }

    /// RFC 9110, section 15, and what else tests are likely to send. Other statuses get an empty phrase, which is allowed.
    private static let reasons: [Int: String] = [
        100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
        200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content",
        205: "Reset Content", 206: "Partial Content",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict",
        410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
        414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
        421: "Misdirected Request", 422: "Unprocessable Content", 425: "Too Early", 426: "Upgrade Required",
        428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 511: "Network Authentication Required",
    ]
}
