public import Foundation

extension RedactionPolicy {
    /// The text of a body, or of its beginning, without its secrets; all else stays as it is.
    ///
    /// A value that was cut off in its middle is a secret all the same, as long as its name is there.
    ///
    /// - Parameters:
    ///   - body: The body, or its beginning.
    ///   - contentType: Its type. Content that cannot be what the type says is not taken for it.
    ///   - isWhole: Whether the end is there.
    /// - Returns: The text; `nil` if the body is none, by its type or by its bytes. A multipart body counts as none.
    public func redacted(body: Data, contentType: String?, isWhole: Bool = true) -> String? {
        redacted(body, type: MediaType(contentType), isWhole: isWhole, layout: .verbatim)
    }

    func redacted(_ body: Data, type: MediaType, isWhole: Bool, layout: JSONRedaction.Layout) -> String? {
        guard type.canBeText, let text = MediaType.text(body, isWhole: isWhole) else { return nil }
        if type.isForm { return redacted(form: text) }
        if Self.beginsLikeJSON(text) {
            return JSONRedaction(includesSecrets ? nil : names).redacted(text, isWhole: isWhole, layout: layout)
        }
        return includesSecrets ? text : TextRedaction(names).redacted(text, isWhole: isWhole)
    }

    /// Tells JSON by how it begins; types are often wrong.
    private static func beginsLikeJSON(_ text: String) -> Bool {
        let first = text.unicodeScalars.first { !$0.properties.isWhitespace && $0 != "\u{FEFF}" }
        return first == "{" || first == "["
    }
}
