public import Pipeline

/// Whether a request takes part in cookies: `usesCookies` by name, `true` unless it says otherwise.
public enum CookieUse: CustomPropertyKey {
    public static let name = "usesCookies"
    public static let defaultValue = true
}

extension NetworkRequest {
    /// Whether ``CookieAction`` adds cookies to this request, and stores those of its responses. `true` unless set.
    public var usesCookies: Bool {
        get { customProperties[CookieUse.self] }
        set { customProperties[CookieUse.self] = newValue }
    }
}
