import Foundation

@testable import Pipeline
@testable import PipelineActions

/// `Set-Cookie` fields, and a jar that takes whatever they say.
enum CookieChecks {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    static func cookies(_ fields: [String]) throws {
        for field in fields { try checkSyntax(field) }
        for origin in [
            "https://a.example.com/x/y", "http://a.example.com/x/y", "https://192.0.2.1/", "http://localhost/",
        ] {
            try checkJar(fields, from: origin)
        }
    }

    private static func checkSyntax(_ text: String) throws {
        guard let field = try? SetCookieField(text) else { return }
        try require(!field.name.isEmpty && !field.name.utf8.contains(UInt8(ascii: "=")), "a name has no equals sign")
        for part in [field.name, field.value] {
            try require(!part.utf8.contains(UInt8(ascii: ";")), "names and values have no semicolon")
            try require(!part.utf8.contains { $0 < 0x20 && $0 != 9 || $0 == 0x7F }, "nor control characters")
        }
        try require(field.path.map { $0.utf8.first == UInt8(ascii: "/") } ?? true, "a path begins with a slash")
        try require(field.domain.map { !$0.isEmpty } ?? true, "a domain is not empty")
        var written = "\(field.name)=\(field.value)"
        if let date = field.expires { written += "; Expires=\(HTTPDate(date))" }
        if let age = field.maxAge { written += "; Max-Age=\(age)" }
        if let domain = field.domain { written += "; Domain=.\(domain)" }
        if let path = field.path { written += "; Path=\(path)" }
        if field.isSecure { written += "; Secure" }
        if field.isHTTPOnly { written += "; HttpOnly" }
        if let sameSite = field.sameSite { written += "; SameSite=\(sameSite.rawValue)" }
        try requireEqual(try SetCookieField(written), field, "a cookie that is written is read the same: \(written)")
    }

    private static func checkJar(_ fields: [String], from text: String) throws {
        guard let url = URL(string: text), let host = url.host else { return }
        let jar = CookieJar(limits: CookieLimits())
        jar.store(fields, from: url, at: now)
        for cookie in jar.cookies(at: now) {
            try require(
                cookie.domain == host || host.hasSuffix("." + cookie.domain),
                "a host sets cookies for itself and what it lies below"
            )
            try require(cookie.domain.contains(".") || cookie.isHostOnly, "nobody sets cookies for a top-level domain")
            try require(
                !cookie.isSecure || url.scheme == "https" || host == "localhost",
                "secure cookies come securely"
            )
            if cookie.name.lowercased().hasPrefix("__host-") {
                try require(cookie.isSecure && cookie.isHostOnly && cookie.path == "/", "a prefix is kept")
            }
            try require(!cookie.hasExpired(at: now), "an expired cookie is not kept")
        }
        for stranger in ["https://example.org/x/y", "https://notexample.com/x/y", "https://192.0.2.2/", "https://com/"]
        {
            guard let other = URL(string: stranger) else { continue }
            try require(jar.cookies(for: other, at: now).isEmpty, "strangers get none")
        }
        let sent = jar.cookies(for: url, at: now).map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
        try require(HTTPSyntax.isFieldValue(sent), "what a server set can be sent back")
    }
}
