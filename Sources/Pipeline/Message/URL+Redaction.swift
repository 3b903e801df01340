package import Foundation

extension URL {
    /// The URL as it may be shown in errors and logs: without user, password, query and fragment, control characters escaped.
    /// An ellipsis stands for a query: `https://host/path?…`.
    package var redacted: String { Self.printableReference(absoluteString) }

    /// A URL, or a reference to one, as it may be shown.
    static func printableReference(_ text: String) -> String {
        let (address, query, _) = texts(of: text)
        return printableAddress(address) + (query.isEmpty ? "" : "?…")
    }

    /// What stands before a query, without user and password.
    ///
    /// A URL whose scheme was forgotten (`user:password@host/path`) has no authority, only a path; what it begins with is
    /// treated like one, or the password would show.
    static func printableAddress(_ address: String) -> String {
        let bytes = address.utf8
        let slash = UInt8(ascii: "/")
        let mark = bytes.firstIndex(of: slash) ?? bytes.endIndex
        let isMarked =
            bytes[mark...].starts(with: [slash, slash])
            && (mark == bytes.startIndex || bytes[bytes.index(before: mark)] == UInt8(ascii: ":"))
        let start = isMarked ? bytes.index(mark, offsetBy: 2) : bytes.startIndex
        let end = bytes[start...].firstIndex(of: slash) ?? bytes.endIndex
        guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return HTTPSyntax.printable(address) }
        return HTTPSyntax.printable(String(address[..<start]) + String(address[bytes.index(after: at)...]))
    }
}
