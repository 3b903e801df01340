public import Foundation

/// The base URL of an ``Endpoint``: a URL, or a text that has yet to prove one.
///
///     var baseURL: BaseURL? { "https://api.example.com/v1" }
///     var baseURL: BaseURL? { BaseURL(settings.server) }
///     var baseURL: BaseURL? { get throws { BaseURL(try settings.serverURL()) } }
public struct BaseURL: Sendable, Hashable, ExpressibleByStringLiteral {
    private enum Form: Sendable, Hashable {
        case url(URL)
        case text(String)
    }

    private let form: Form

    /// Takes a URL.
    public init(_ url: URL) { form = .url(url) }

    /// Takes a text. If it is no URL, that is an `invalid-request` error of each send.
    public init(_ text: String) { form = .text(text) }

    /// Takes a text. If it is no URL, that is an `invalid-request` error of each send.
    public init(stringLiteral value: String) { self.init(value) }

    /// The URL.
    ///
    /// - Throws: ``MalformedValue`` if the text is not an absolute URL as it stands (RFC 3986, section 4.3).
    public func url() throws(MalformedValue) -> URL {
        switch form {
        case .url(let url): return url
        case .text(let text):
            guard let url = URL(exactly: text), url.scheme != nil, url.host != nil else {
                throw MalformedValue(
                    kind: "base URL",
                    name: URL.printableReference(text),
                    reason: "it is not an absolute URL, such as https://api.example.com/v1"
                )
            }
            return url
        }
    }
}

extension BaseURL: CustomStringConvertible, CustomReflectable {
    /// The address without query and credentials.
    public var description: String {
        switch form {
        case .url(let url): url.redacted
        case .text(let text): URL.printableReference(text)
        }
    }

    public var customMirror: Mirror { Mirror(self, children: ["url": description], displayStyle: .struct) }
}
