import Foundation

/// Takes secrets out of URLs, references and forms. Every other byte stays.
struct URLRedaction {
    private let names: SecretNames

    init(_ names: SecretNames) { self.names = names }

    func redacted(_ url: String) -> String {
        guard Self.canHoldSecret(url) else { return url }
        let (front, fragment) = Self.cut(url, before: "#")
        let (address, query) = Self.cut(front, before: "?")
        var text = TextRedaction(names).redacted(Self.withoutUserInfo(address))
        if !query.isEmpty { text += "?" + redacted(form: String(query.dropFirst())) }
        // A fragment is never sent, and where one holds something beside a heading it is an answer of a sign-in.
        if !fragment.isEmpty { text += "#" + RedactionPolicy.mark }
        return text
    }

    /// Whether there is anything behind the scheme without which no secret is found; mostly there is not.
    private static func canHoldSecret(_ url: String) -> Bool {
        let bytes = url.utf8
        let scheme = bytes.starts(with: "https://".utf8) ? 8 : bytes.starts(with: "http://".utf8) ? 7 : 0
        let rest = url[bytes.index(url.startIndex, offsetBy: scheme)...]
        return rest.utf8.contains { "@?#".utf8.contains($0) } || TextRedaction.canHoldSecret(rest)
    }

    func redacted(form: String) -> String {
        form.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
            .map { redacted(item: Substring($0)) }
            .joined(separator: "&")
    }

    private func redacted(item: Substring) -> String {
        guard let equals = item.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            return isHarmless(item) ? String(item) : RedactionPolicy.mark
        }
        let (name, value) = (item[..<equals], item[item.utf8.index(after: equals)...])
        if value.isEmpty { return String(item) }
        let isSecret = names.contains(Self.decoded(name)) || !isHarmless(value)
        return isSecret ? name + "=" + RedactionPolicy.mark : String(item)
    }

    /// Whether an encoded text holds no secret of its own: another URL with a password in it, or JSON.
    private func isHarmless(_ value: Substring) -> Bool {
        let decoded = Self.decoded(value)
        return TextRedaction(names).redacted(decoded) == decoded
    }

    /// The text without percent-encoding, as often as it was encoded; names can hide behind it.
    private static func decoded(_ text: Substring) -> String {
        var text = text.utf8.contains(UInt8(ascii: "+")) ? text.replacingOccurrences(of: "+", with: " ") : String(text)
        for _ in 0..<3 {
            guard let decoded = text.percentDecoded else { break }
            text = decoded
        }
        return text
    }

    /// What stands before a query, without user and password.
    ///
    /// Without a scheme (`user:password@host/path`, `//user@host`) what it begins with is treated like an authority.
    private static func withoutUserInfo(_ address: String) -> String {
        let bytes = Array(address.utf8)
        let slash = UInt8(ascii: "/")
        let mark = bytes.firstIndex(of: slash) ?? bytes.count
        let isMarked =
            bytes[mark...].starts(with: [slash, slash]) && (mark == 0 || bytes[mark - 1] == UInt8(ascii: ":"))
        let start = isMarked ? mark + 2 : 0
        let end = bytes[start...].firstIndex(of: slash) ?? bytes.count
        guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return address }
        return String(decoding: bytes[..<start], as: UTF8.self) + RedactionPolicy.mark
            + String(decoding: bytes[at...], as: UTF8.self)
    }

    private static func cut(_ text: String, before mark: Character) -> (front: String, rest: Substring) {
        guard let place = text.utf8.firstIndex(of: mark.asciiValue ?? 0) else { return (text, "") }
        return (String(text[..<place]), text[place...])
    }
}

extension String {
    /// The text without its percent-encoding, as far as it is any: of a text that was cut off the last one can be broken.
    /// `nil` if there is none.
    var percentDecoded: String? {
        guard utf8.contains(UInt8(ascii: "%")) else { return nil }
        var bytes: [UInt8] = []
        var rest = Array(utf8)[...]
        var isChanged = false
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                let decoded = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(decoded)
                rest = rest.dropFirst(2)
                isChanged = true
            } else {
                bytes.append(byte)
            }
        }
        return isChanged ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
