public import Pipeline

/// Whether a request needs a credential: `true`, `false`, or `nil` for what the authenticating action has as its default.
///
/// Actions that attach credentials read it. By name it is `["requiresAuthentication": false]`.
public enum RequiresAuthentication: CustomPropertyKey {
    public static let name = "requiresAuthentication"
    public static let defaultValue: Bool? = nil
}

extension NetworkRequest {
    /// Whether the request needs a credential. `nil`, the default, leaves it to the action that attaches one.
    ///
    /// With `true` the request is not sent without; with `false` none is attached, and no answer to it counts against one.
    public var requiresAuthentication: Bool? {
        get { customProperties[RequiresAuthentication.self] }
        set { customProperties[RequiresAuthentication.self] = newValue }
    }
}
