/// Why a cookie was not stored. More reasons may come: leave room for them with `default`.
public enum CookieRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no name, or no equals sign.
    case malformed
    /// There is a control character in it.
    case controlCharacter
    /// Name and value are longer than ``CookieLimits/size``.
    case tooLarge
    /// The `Domain` attribute names another host, not the one that sent the cookie or one above it.
    case foreignDomain
    /// The `Domain` attribute names an address, or a single label such as `com`, and not exactly the host that sent the
    /// cookie.
    case wideDomain
    /// It is to be sent over secure connections only, and came over another.
    case notSecure
    /// Its name begins with `__Secure-` or `__Host-`, and it does not keep what that promises.
    case brokenPrefix
    /// It came over a connection that is not secure, and would take the place of a cookie that is.
    case overSecureCookie

    public var description: String {
        switch self {
        case .malformed: "it has no name or no equals sign"
        case .controlCharacter: "it holds a control character"
        case .tooLarge: "name and value are too long"
        case .foreignDomain: "its domain is not that of the server that sent it"
        case .wideDomain: "its domain is an address or a single label"
        case .notSecure: "it is for secure connections and came over another"
        case .brokenPrefix: "it does not keep what the prefix of its name promises"
        case .overSecureCookie: "it came over a connection that is not secure and would replace a cookie that is"
        }
    }
}
