/// The name of a header field (RFC 9110, section 5.1).
///
/// Two names are equal if they differ in the case of ASCII letters only; each keeps its spelling and is sent like that.
/// The list is open: `let name: HTTPFieldName = "X-Request-Id"`.
public struct HTTPFieldName: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name as it was spelt.
    public let spelling: String

    /// Creates a name. One that is no token is refused when the request is sent.
    public init(_ name: String) { spelling = name }

    /// Creates a name from a literal.
    public init(stringLiteral value: String) { spelling = value }

    /// The name as it was spelt, with control characters escaped.
    public var description: String { HTTPSyntax.printable(spelling) }

    /// Whether the values of fields with this name are secrets by themselves: credentials and keys.
    public var isSensitive: Bool { Self.sensitive.contains(self) }

    /// The names whose values are secrets wherever they appear: credentials, cookies, and the names under which APIs
    /// commonly take keys and tokens. For any other field, mark the value: ``HTTPField/init(name:value:isSensitive:origins:)``.
    public static let sensitive: Set<HTTPFieldName> = [
        .authorization, .proxyAuthorization, .cookie, .setCookie, "Cookie2", "Set-Cookie2", "DPoP", "X-Authorization",
        "Api-Key", "ApiKey", "X-Api-Key", "X-ApiKey", "X-Goog-Api-Key", "Ocp-Apim-Subscription-Key", "X-Functions-Key",
        "X-Auth-Key", "X-Api-Token", "X-Auth-Token", "X-Access-Token", "X-Refresh-Token", "X-Session-Token",
        "X-Id-Token", "X-Csrf-Token", "X-Xsrf-Token", "Csrf-Token", "Access-Token", "Private-Token", "Job-Token",
        "X-Amz-Security-Token", "X-Vault-Token", "X-Subject-Token", "X-Shopify-Access-Token", "X-Gitlab-Token",
        "X-Figma-Token", "X-Auth", "X-Secret-Key", "X-Master-Key", "X-Api-Secret", "X-Client-Secret", "DD-Api-Key",
        "DD-Application-Key", "X-RapidAPI-Key", "X-Algolia-Api-Key", "Circle-Token", "Fastly-Key", "X-Appwrite-Key",
    ]

    /// Whether a field of this name frames the message or concerns the connection, so that only a transport may set it.
    var isOwnedByTransport: Bool { Self.ownedByTransport.contains(self) }

    // A few comparisons that mostly end at the length; hashing would take longer.
    private static let ownedByTransport: [HTTPFieldName] = [
        .contentLength, .transferEncoding, .connection, .keepAlive, .proxyConnection, .upgrade, .trailer,
    ]
}

extension HTTPFieldName: Hashable {
    // Nearly every name compared is compared in vain, so nothing is made lower-case for it.
    public static func == (one: HTTPFieldName, other: HTTPFieldName) -> Bool {
        one.spelling.utf8.count == other.spelling.utf8.count && hasSameLetters(one, other)
    }

    private static func hasSameLetters(_ one: HTTPFieldName, _ other: HTTPFieldName) -> Bool {
        one.spelling.withBytes { bytes in
            other.spelling.withBytes { others in
                bytes.elementsEqual(others) { $0 == $1 || lowercase($0) == lowercase($1) }
            }
        }
    }

    public func hash(into hasher: inout Hasher) {
        spelling.withBytes { bytes in
            // Eight bytes at a time: to combine one takes as long.
            var word: UInt64 = 0
            for (position, byte) in bytes.enumerated() {
                word = word << 8 | UInt64(Self.lowercase(byte))
                if position % 8 == 7 { hasher.combine(word) }
            }
            hasher.combine(word)
            hasher.combine(bytes.count)
        }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

// The names that clients meet most.
extension HTTPFieldName {
    /// `Accept`
    public static let accept: HTTPFieldName = "Accept"
    /// `Accept-Encoding`
    public static let acceptEncoding: HTTPFieldName = "Accept-Encoding"
    /// `Accept-Language`
    public static let acceptLanguage: HTTPFieldName = "Accept-Language"
    /// `Accept-Ranges`
    public static let acceptRanges: HTTPFieldName = "Accept-Ranges"
    /// `Age`
    public static let age: HTTPFieldName = "Age"
    /// `Allow`
    public static let allow: HTTPFieldName = "Allow"
    /// `Alt-Svc`
    public static let altSvc: HTTPFieldName = "Alt-Svc"
    /// `Authentication-Info`
    public static let authenticationInfo: HTTPFieldName = "Authentication-Info"
    /// `Authorization`
    public static let authorization: HTTPFieldName = "Authorization"
    /// `Cache-Control`
    public static let cacheControl: HTTPFieldName = "Cache-Control"
    /// `Connection`
    public static let connection: HTTPFieldName = "Connection"
    /// `Content-Disposition`
    public static let contentDisposition: HTTPFieldName = "Content-Disposition"
    /// `Content-Encoding`
    public static let contentEncoding: HTTPFieldName = "Content-Encoding"
    /// `Content-Language`
    public static let contentLanguage: HTTPFieldName = "Content-Language"
    /// `Content-Length`
    public static let contentLength: HTTPFieldName = "Content-Length"
    /// `Content-Location`
    public static let contentLocation: HTTPFieldName = "Content-Location"
    /// `Content-Range`
    public static let contentRange: HTTPFieldName = "Content-Range"
    /// `Content-Type`
    public static let contentType: HTTPFieldName = "Content-Type"
    /// `Cookie`
    public static let cookie: HTTPFieldName = "Cookie"
    /// `Date`
    public static let date: HTTPFieldName = "Date"
    /// `ETag`
    public static let etag: HTTPFieldName = "ETag"
    /// `Expect`
    public static let expect: HTTPFieldName = "Expect"
    /// `Expires`
    public static let expires: HTTPFieldName = "Expires"
    /// `Host`
    public static let host: HTTPFieldName = "Host"
    /// `Idempotency-Key`
    public static let idempotencyKey: HTTPFieldName = "Idempotency-Key"
    /// `If-Match`
    public static let ifMatch: HTTPFieldName = "If-Match"
    /// `If-Modified-Since`
    public static let ifModifiedSince: HTTPFieldName = "If-Modified-Since"
    /// `If-None-Match`
    public static let ifNoneMatch: HTTPFieldName = "If-None-Match"
    /// `If-Range`
    public static let ifRange: HTTPFieldName = "If-Range"
    /// `If-Unmodified-Since`
    public static let ifUnmodifiedSince: HTTPFieldName = "If-Unmodified-Since"
    /// `Keep-Alive`
    public static let keepAlive: HTTPFieldName = "Keep-Alive"
    /// `Last-Event-ID`
    public static let lastEventID: HTTPFieldName = "Last-Event-ID"
    /// `Last-Modified`
    public static let lastModified: HTTPFieldName = "Last-Modified"
    /// `Link`
    public static let link: HTTPFieldName = "Link"
    /// `Location`
    public static let location: HTTPFieldName = "Location"
    /// `Origin`
    public static let origin: HTTPFieldName = "Origin"
    /// `Prefer`
    public static let prefer: HTTPFieldName = "Prefer"
    /// `Proxy-Authenticate`
    public static let proxyAuthenticate: HTTPFieldName = "Proxy-Authenticate"
    /// `Proxy-Authorization`
    public static let proxyAuthorization: HTTPFieldName = "Proxy-Authorization"
    /// `Proxy-Connection`
    public static let proxyConnection: HTTPFieldName = "Proxy-Connection"
    /// `Range`
    public static let range: HTTPFieldName = "Range"
    /// `Referer`
    public static let referer: HTTPFieldName = "Referer"
    /// `Retry-After`
    public static let retryAfter: HTTPFieldName = "Retry-After"
    /// `Server`
    public static let server: HTTPFieldName = "Server"
    /// `Set-Cookie`
    public static let setCookie: HTTPFieldName = "Set-Cookie"
    /// `TE`
    public static let te: HTTPFieldName = "TE"
    /// `traceparent`
    public static let traceparent: HTTPFieldName = "traceparent"
    /// `tracestate`
    public static let tracestate: HTTPFieldName = "tracestate"
    /// `Trailer`
    public static let trailer: HTTPFieldName = "Trailer"
    /// `Transfer-Encoding`
    public static let transferEncoding: HTTPFieldName = "Transfer-Encoding"
    /// `Upgrade`
    public static let upgrade: HTTPFieldName = "Upgrade"
    /// `User-Agent`
    public static let userAgent: HTTPFieldName = "User-Agent"
    /// `Vary`
    public static let vary: HTTPFieldName = "Vary"
    /// `Via`
    public static let via: HTTPFieldName = "Via"
    /// `WWW-Authenticate`
    public static let wwwAuthenticate: HTTPFieldName = "WWW-Authenticate"
}
