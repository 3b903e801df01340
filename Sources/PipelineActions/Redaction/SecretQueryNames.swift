public import Pipeline

/// The names of query items whose values are secrets, beside those that are secrets wherever they appear:
/// `secretQueryNames` by name.
///
/// Actions that put secrets into a query add to it; whatever prints queries leaves out the values of these items.
public enum SecretQueryNames: CustomPropertyKey {
    public static let name = "secretQueryNames"
    public static let defaultValue: Set<String> = []
}

extension NetworkRequest {
    /// The names of query items, as plain text, whose values must not be shown. None unless set.
    public var secretQueryNames: Set<String> {
        get { customProperties[SecretQueryNames.self] }
        set { customProperties[SecretQueryNames.self] = newValue }
    }
}
