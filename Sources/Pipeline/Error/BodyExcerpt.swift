import Foundation

/// The beginning of a body as error texts show it: short, on one line, and without the secrets that can be told by name.
struct BodyExcerpt: CustomStringConvertible {
    /// How much is shown: enough to tell an error page from a wrong document.
    private static let length = 200

    let description: String

    init(_ body: Data) {
        // A character can be cut in two at the end; decoding repairs that.
        let text = String(decoding: body.prefix(4 * Self.length), as: UTF8.self)
        guard !text.contains("\0") else {
            description = "with \(body.count) bytes that are not text"
            return
        }
        let shown = Self.withoutSecrets(text).prefix(Self.length)
        let ellipsis = shown.count < text.count || body.count > 4 * Self.length ? "…" : ""
        description = HTTPSyntax.printable(String(shown)) + ellipsis
    }

    /// Names of fields and elements whose values are secrets.
    private static let secretNames =
        "password|passwd|passphrase|passcode|pwd|secret|token|api_?key|authorization|credential|session|cookie|"
        + "private_?key|assertion|signature|pin|cvv|otp|jwt"

    /// Where it is hard to say how far a secret goes, the rest of the text goes with it: it is an excerpt anyway.
    private static func withoutSecrets(_ text: String) -> String {
        let name = "[A-Za-z0-9_\\-]*(?:\(secretNames))[A-Za-z0-9_\\-]*"
        // A list, an object, and JSON inside a text have ends that no expression finds. A value that the cut has left without
        // its closing quotation mark is a secret all the same.
        let json =
            "(\\\\*\"\(name)\\\\*\"\\s*:\\s*)"
            + "(?:[\\[{\\\\][\\s\\S]*|\"(?:[^\"\\\\]|\\\\.)*(?:\"|\\\\?$)|[^\\s,}\\]\"]+)"
        let form = "((?:^|[&?;\\s])\(name)=)[^&\\s;\"]+"
        let element = "(<(?:[\\w\\-]+:)?\(name))[\\s\\S]*"
        let userInfo = "(://)[^/\\s\"<>]*(?=@)"
        return [json, form, element, userInfo].reduce(text) { text, pattern in
            guard let expression = try? NSRegularExpression(pattern: pattern, options: [.caseInsensitive]) else {
                return "<not shown>"
            }
            let range = NSRange(text.startIndex..., in: text)
            return expression.stringByReplacingMatches(in: text, range: range, withTemplate: "$1<redacted>")
        }
    }
}
