public import Pipeline

/// What a ``CookieAction`` did with cookies, as it tells event monitors. It names cookies and never holds their values.
///
/// More cases may come: leave room for them with `default`.
public enum CookieNote: Sendable, CustomStringConvertible {
    /// A request carries cookies of the jar.
    case sent(names: [String])
    /// A cookie was stored.
    case stored(name: String, host: String)
    /// The server took a cookie away, by sending one that has expired.
    case removed(name: String, host: String)
    /// A cookie was not stored; its name, if it has one.
    case refused(name: String?, host: String, CookieRefusal)
    /// The file of the jar could not be written; the cookies are in memory.
    case notSaved(NetworkError)

    public var description: String {
        switch self {
        case .sent(let names): "sent \(names.joined(separator: ", "))"
        case .stored(let name, let host): "stored \(name) of \(host)"
        case .removed(let name, let host): "removed \(name) of \(host)"
        case .refused(let name, let host, let refusal): "refused \(name ?? "a cookie") of \(host): \(refusal)"
        case .notSaved(let error): "the cookies could not be saved: \(error)"
        }
    }
}
