public import Foundation
public import Pipeline

/// What is left out of logs, cURL lines and other records of what was sent: the secrets.
///
///     var redaction = RedactionPolicy.standard
///     redaction.names.insert("iban")
///     redaction.headerNames.insert("X-Customer")
///     let logging = LoggingAction(redaction: redaction)
///
/// In place of a secret stands ``mark``. These are secrets unless told otherwise:
///
/// - header fields that are sensitive, by name or by mark, those in ``headerNames``, and those whose name is one of
///   ``names``; of `Authorization` the scheme is kept, of cookies the names and the attributes;
/// - user and password of every URL, its fragment, and the items of its query under ``names``; so also in `Location` and
///   wherever else a URL stands in a text;
/// - the values under ``names`` in forms, JSON, XML, HTML and texts, at any depth, also if only the beginning of a body is
///   there, or it is not well-formed;
/// - whatever looks like a bearer token, a JSON web token or a private key.
///
/// **What it cannot know:** a secret that has no name: a segment of a path, a word in a sentence. Do not put secrets there.
public struct RedactionPolicy: Sendable, Hashable {
    /// The names whose values are secrets in queries, forms, JSON, XML and texts.
    public var names: SecretNames

    /// Header fields that are secrets beside those that say so themselves.
    public var headerNames: Set<HTTPFieldName>

    private var isOff = false

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - names: The names whose values are secrets; ``SecretNames/standard`` unless told otherwise.
    ///   - headerNames: Further header fields that are secrets.
    public init(names: SecretNames = .standard, headerNames: Set<HTTPFieldName> = []) {
        self.names = names
        self.headerNames = headerNames
    }

    /// The usual secrets are left out.
    public static let standard = RedactionPolicy()

    /// Nothing is left out: for a record that is as secret as what it records.
    public static let includingSecrets: RedactionPolicy = {
        var policy = RedactionPolicy()
        policy.isOff = true
        return policy
    }()

    /// Whether nothing is left out.
    public var includesSecrets: Bool { isOff }

    /// What stands in place of a secret.
    public static let mark = "<redacted>"

    /// A text, the beginning of one, or a piece of a document of any kind, without its secrets.
    public func redacted(_ text: String) -> String {
        isOff ? text : TextRedaction(names).redacted(text)
    }

    /// A form or a query (`a=1&b=2`), without its secrets; other items stay as they are.
    public func redacted(form: String) -> String {
        isOff ? form : URLRedaction(names).redacted(form: form)
    }

    /// A URL, or a reference such as stands in `Location`, without its secrets.
    public func redacted(url: String) -> String {
        isOff ? url : URLRedaction(names).redacted(url)
    }

    /// A URL without its secrets.
    public func redacted(_ url: URL) -> String { redacted(url: url.absoluteString) }

    /// The URL of a request without its secrets, those among them that the request names itself
    /// (`secretQueryNames`).
    public func redactedURL(of request: NetworkRequest) -> String {
        hiding(request.secretQueryNames).redacted(request.url)
    }

    /// This policy, with further names that are secrets.
    func hiding(_ names: Set<String>) -> RedactionPolicy {
        guard !names.isEmpty else { return self }
        var policy = self
        for name in names { policy.names.insert(name) }
        return policy
    }

    /// The value of a header field without its secrets.
    public func redactedValue(of field: HTTPField) -> String {
        guard !isOff else { return field.value }
        return FieldRedaction(names, headerNames: headerNames).redactedValue(of: field)
    }
}
