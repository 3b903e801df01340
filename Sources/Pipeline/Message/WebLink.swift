public import Foundation

/// A link in the head of a response: where it leads, and how that is related to what was asked for (RFC 8288).
///
///     if let next = response.link("next") { show(next.target) }
///
/// The name is that of the RFC, "Web Linking", since SwiftUI has a `Link`.
public struct WebLink: Sendable, Hashable {
    /// Where the link leads; a relative target is resolved.
    public let target: URL

    /// How the target is related to the context, in lower case: `next`, or a URI for a relation that is not registered.
    public let relations: [String]

    /// What the link starts from, if it is not the resource that was asked for.
    public let anchor: URL?

    /// The other parameters by their names in lower case, of each the first: `type`, `hreflang`, `title`.
    public let attributes: [String: String]

    /// What the target is called, for people: the `title*` parameter (RFC 8187) if it can be read, else `title`.
    public var title: String? { attributes["title*"].flatMap(Self.decoded) ?? attributes["title"] }

    /// Reads the values of a `Link` field (RFC 8288, appendix B).
    ///
    /// A link without a relation, and one that is malformed, is left out, and those beside it are read.
    ///
    /// - Parameters:
    ///   - fields: The values, one for each line of the head.
    ///   - base: What relative targets are resolved against: the URL that was answered.
    public static func links(in fields: some Sequence<String>, relativeTo base: URL) -> [WebLink] {
        fields.flatMap { field in
            var scanner = FieldScanner(field)
            var links: [WebLink] = []
            while scanner.next != nil {
                if let link = WebLink(&scanner, base) { links.append(link) }
                scanner.skipElement()
            }
            return links
        }
    }

    private init?(_ scanner: inout FieldScanner, _ base: URL) {
        scanner.skipBlanks()
        guard scanner.take(UInt8(ascii: "<")) else { return nil }
        let reference = scanner.text(before: ">")
        guard scanner.take(UInt8(ascii: ">")), let parameters = scanner.parameters() else { return nil }
        var attributes = Dictionary(parameters.map { ($0.name, $0.value) }) { first, _ in first }
        let relation = attributes.removeValue(forKey: "rel") ?? ""
        // Scalars and not characters: with an accent behind it a space is another character.
        relations = relation.unicodeScalars.split { $0 == " " || $0 == "\t" }.map { String($0).lowercased() }
        guard !relations.isEmpty, let target = Self.resolved(reference, base) else { return nil }
        self.target = target
        if let reference = attributes.removeValue(forKey: "anchor") {
            guard let anchor = Self.resolved(reference, base) else { return nil }
            self.anchor = anchor == base.absoluteURL ? nil : anchor
        } else {
            anchor = nil
        }
        self.attributes = attributes
    }

    private static func resolved(_ reference: String, _ base: URL) -> URL? {
        let url = reference.isEmpty ? base : URL(string: reference, relativeTo: base)
        // Of `:x` Foundation makes a URL whose scheme is empty.
        guard let url = url?.absoluteURL, url.scheme?.isEmpty == false else { return nil }
        return url
    }

    /// The text of an extended value in UTF-8: `UTF-8'en'caf%C3%A9` (RFC 8187, section 3.2.1).
    private static func decoded(_ value: String) -> String? {
        let parts = value.unicodeScalars.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, String(parts[0]).lowercased() == "utf-8" else { return nil }
        return String(parts[2]).removingPercentEncoding
    }
}

extension FieldScanner {
    /// Skips the rest of an element of a list, with the comma behind it. A comma in a target or in a quoted string ends nothing.
    fileprivate mutating func skipElement() {
        while let byte = next, !take(UInt8(ascii: ",")) {
            switch byte {
            case UInt8(ascii: "<"): _ = text(before: ">")
            case UInt8(ascii: "\""): _ = quotedString()
            default: _ = take(byte)
            }
        }
    }
}

extension WebLink: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The relations and the target, without its query and credentials.
    public var description: String { "\(relations.joined(separator: " ")): \(target.redacted)" }

    public var debugDescription: String { description }

    public var customMirror: Mirror {
        Mirror(self, children: ["relations": relations, "target": target.redacted], displayStyle: .struct)
    }
}

extension NetworkResponse {
    /// The links in the head that can be read, in their order.
    public var links: [WebLink] { WebLink.links(in: headers.values(of: .link), relativeTo: url) }

    /// The first link with this relation that starts from what was asked for.
    ///
    /// - Parameter relation: The relation, in any letter case: `next`.
    public func link(_ relation: String) -> WebLink? {
        let relation = relation.lowercased()
        return links.first { $0.anchor == nil && $0.relations.contains(relation) }
    }
}
