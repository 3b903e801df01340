package import Foundation

extension URL {
    /// The URL as it may be shown: without user, password, query and fragment. An ellipsis stands for a query.
    package var redacted: String {
        let (address, _) = absoluteString.cut(before: "#")
        let (front, query) = address.cut(before: "?")
        return HTTPSyntax.printable(Self.withoutUser(front) + (query.isEmpty ? "" : "?…"))
    }

    private static func withoutUser(_ text: String) -> String {
        guard let start = text.range(of: "://")?.upperBound else { return text }
        let end = text[start...].firstIndex(of: "/") ?? text.endIndex
        guard let at = text[start..<end].lastIndex(of: "@") else { return text }
        return String(text[..<start] + text[text.index(after: at)...])
    }
}
