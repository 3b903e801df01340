import Foundation

/// Whether a cookie that a server sent may be stored: the rules of RFC 6265, section 5.3, as far as they need no other cookies,
/// and those of the prefixes (its successor's section 4.1.3), as a pure decision.
enum CookieDecision: Sendable, Hashable {
    /// The cookie to store. If it has expired already, it takes away the one it would replace.
    case store(Cookie)
    /// Its name, if it has one, and what is wrong with it.
    case refuse(name: String?, CookieRefusal)

    /// Decides.
    ///
    /// - Parameters:
    ///   - text: The value of a `Set-Cookie` field.
    ///   - location: Where the response came from.
    ///   - now: The time on the wall.
    ///   - largest: How many bytes name and value may have.
    init(on text: String, from location: CookieLocation, at now: Date, largest: Int) {
        let field: SetCookieField
        do { field = try SetCookieField(text) } catch {
            self = .refuse(name: nil, error)
            return
        }
        do {
            self = .store(try Self.cookie(field, from: location, at: now, largest: largest))
        } catch {
            self = .refuse(name: field.name, error)
        }
    }

    private static func cookie(
        _ field: SetCookieField,
        from location: CookieLocation,
        at now: Date,
        largest: Int
    ) throws(CookieRefusal) -> Cookie {
        guard field.name.utf8.count + field.value.utf8.count <= largest else { throw .tooLarge }
        guard !field.isSecure || location.isSecure else { throw .notSecure }
        let domain = try domain(of: field, from: location.host)
        let path = field.path ?? location.defaultPath
        guard keepsPrefix(field, isHostOnly: field.domain == nil) else { throw .brokenPrefix }
        return Cookie(
            field,
            domain: domain ?? location.host,
            isHostOnly: domain == nil,
            path: path,
            expires: expiry(of: field, at: now),
            flags: (field.isSecure, field.isHTTPOnly, field.sameSite),
            created: now
        )
    }

    /// The domain below which the cookie holds; `nil` if it is for the host alone.
    ///
    /// A domain that is too wide is let pass where it is the host itself: then the cookie is for that host alone, as it is for
    /// a public suffix (step 5).
    private static func domain(of field: SetCookieField, from host: String) throws(CookieRefusal) -> String? {
        guard let domain = field.domain else { return nil }
        guard CookieDomain.canHaveSubdomains(domain) else {
            if domain == host { return nil }
            throw .wideDomain
        }
        guard CookieDomain.host(host, isWithin: domain) else { throw .foreignDomain }
        return domain
    }

    /// When the cookie ends. `Max-Age` goes before `Expires`.
    private static func expiry(of field: SetCookieField, at now: Date) -> Date? {
        guard let seconds = field.maxAge else { return field.expires }
        return seconds <= 0 ? .distantPast : min(now.addingTimeInterval(Double(seconds)), .distantFuture)
    }

    /// Names are compared in any letter case, as some servers do.
    private static func keepsPrefix(_ field: SetCookieField, isHostOnly: Bool) -> Bool {
        let name = field.name.lowercased()
        if name.hasPrefix("__secure-") { return field.isSecure }
        if name.hasPrefix("__host-") { return field.isSecure && isHostOnly && field.path == "/" }
        return true
    }
}
