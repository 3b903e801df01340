import Foundation
import Pipeline

/// What of a URL decides about cookies: its host, its path, and whether the connection is secure.
struct CookieLocation: Sendable, Hashable {
    /// As `Origin` writes it: lower case, no dot at the end.
    let host: String
    /// As it stands in the URL, percent-encoded; `/` if there is none.
    let path: String
    /// Whether secure cookies may come and go: over https, or to this machine, where nobody listens between.
    let isSecure: Bool

    /// - Returns: `nil` if the URL has no host.
    init?(_ url: URL) {
        guard let origin = Origin(url) else { return nil }
        host = origin.host
        isSecure = origin.isSecure || origin.isLoopback
        let path = url.absoluteURL.path(percentEncoded: true)
        self.path = path.utf8.first == UInt8(ascii: "/") ? path : "/"
    }

    /// The root of a host.
    ///
    /// - Returns: `nil` if the text is no host, or more than one.
    init?(host: String) {
        let bracketed =
            host.utf8.contains(UInt8(ascii: ":")) && host.utf8.first != UInt8(ascii: "[") ? "[\(host)]" : host
        guard let url = URL(string: "https://\(bracketed)"), url.user == nil, url.port == nil, url.path.isEmpty,
            url.query == nil, url.fragment == nil
        else { return nil }
        self.init(url)
    }

    /// The path of a cookie that says none: up to the last slash of the URL's, without it (RFC 6265, section 5.1.4).
    var defaultPath: String {
        let bytes = path.utf8
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")), slash != bytes.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Whether the path lies at or below the other, in whole segments (RFC 6265, section 5.1.4).
    func isWithin(path other: String) -> Bool {
        CookieLocation.path(path, isWithin: other)
    }

    /// Whether a path lies at or below another, in whole segments.
    static func path(_ path: String, isWithin other: String) -> Bool {
        let (path, other) = (path.utf8, other.utf8)
        guard path.starts(with: other) else { return false }
        return path.count == other.count || other.last == UInt8(ascii: "/")
            || path.dropFirst(other.count).first == UInt8(ascii: "/")
    }
}
