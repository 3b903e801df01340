public import Pipeline

/// What a token is kept for: everything, requests of one type, or whatever goes by a label.
///
/// Each scope has a token of its own and is refreshed on its own. Which one a request uses, ``TokenStrategy`` says.
public struct TokenScope: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: Sendable, Hashable {
        case global
        case type
        case label
    }

    private let kind: Kind
    private let name: String

    private init(_ kind: Kind, _ name: String = "") {
        self.kind = kind
        self.name = name
    }

    /// All requests.
    public static let global = TokenScope(.global)

    /// Requests of one type, an endpoint enumeration for one.
    ///
    /// The type is known by its full name. That of a private type, or of one inside a function, is not the same in every
    /// build of the program, so a token that is stored for it can get lost: use a label there.
    public static func type(_ type: any Request.Type) -> TokenScope {
        TokenScope(.type, String(reflecting: type))
    }

    /// What goes by a label: an account, a tenant, a kind of access.
    public static func label(_ label: String) -> TokenScope {
        TokenScope(.label, label)
    }

    /// The scope as a text by which stores keep it: different for each scope, the same in every run of the program.
    public var key: String {
        switch kind {
        case .global: "global"
        case .type: "type:\(name)"
        case .label: "label:\(name)"
        }
    }

    /// Whether the scope is that of all requests.
    var isGlobal: Bool { kind == .global }

    /// The same as ``key``.
    public var description: String { key }
}
