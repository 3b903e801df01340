import Foundation
public import Pipeline

/// What a program says it is: the value of a `User-Agent` field (RFC 9110, section 10.1.5).
///
///     try UserAgent(product: "Mail", version: "2.1").adding(comment: "beta").adding(product: "Pipeline")
///     // Mail/2.1 (beta) Pipeline
///
/// It is a list of products, each with a version if it has one, and of comments, the most important first.
public struct UserAgent: Sendable, Hashable, CustomStringConvertible {
    /// The value as it is sent.
    public let description: String

    private init(checked text: String) { description = text }

    /// Takes a whole value.
    ///
    /// - Throws: `MalformedValue` if it is not a product followed by products and comments.
    public init(_ text: String) throws(MalformedValue) {
        guard UserAgentSyntax.isUserAgent(text) else {
            throw MalformedValue(
                kind: "User-Agent",
                name: text,
                reason: "it is made of products such as Mail/2.1 and comments in parentheses (RFC 9110, section 10.1.5)"
            )
        }
        description = text
    }

    /// Names a product.
    ///
    /// - Parameters:
    ///   - product: The name.
    ///   - version: The version, if it is to be told.
    /// - Throws: `MalformedValue` if the name or the version is no token: letters, digits and a few signs, no space.
    public init(product: String, version: String? = nil) throws(MalformedValue) {
        for part in [product, version].compactMap({ $0 }) where !UserAgentSyntax.isToken(part) {
            throw MalformedValue(
                kind: "product",
                name: part,
                reason:
                    "a name and a version are letters, digits and a few signs, without a space (RFC 9110, section 5.6.2)"
            )
        }
        description = product + (version.map { "/" + $0 } ?? "")
    }

    /// This value with one more product at the end.
    ///
    /// - Throws: `MalformedValue` if the name or the version is no token.
    public func adding(product: String, version: String? = nil) throws(MalformedValue) -> UserAgent {
        UserAgent(checked: "\(self) \(try UserAgent(product: product, version: version))")
    }

    /// This value with a comment at the end; what would end the comment early is escaped.
    ///
    /// - Throws: `MalformedValue` if the comment has a control character.
    public func adding(comment: String) throws(MalformedValue) -> UserAgent {
        let escaped = comment.flatMap { "()\\".contains($0) ? "\\\($0)" : "\($0)" }
        return try UserAgent("\(self) (\(String(escaped)))")
    }

    /// This program, by its name and its version.
    ///
    /// In an app they are those of the main bundle; elsewhere it is the name of the process, without a version. What cannot
    /// stand in a token becomes a hyphen.
    public static let program: UserAgent = {
        let facts = Bundle.main.infoDictionary ?? [:]
        let names = [facts["CFBundleName"] as? String, ProcessInfo.processInfo.processName]
        let name = names.lazy.compactMap { $0.flatMap(UserAgentSyntax.token) }.first ?? "Swift"
        let version = (facts["CFBundleShortVersionString"] as? String).flatMap(UserAgentSyntax.token)
        return UserAgent(checked: name + (version.map { "/" + $0 } ?? ""))
    }()
}
