import Foundation

/// Which hosts a rule is for: one, those right below a name, or all below it.
///
/// | pattern | hosts |
/// |---|---|
/// | `api.example.com` | this one |
/// | `*.example.com` | `api.example.com`, with exactly one label in the place of the star; not `example.com`, not `v1.api.example.com` |
/// | `**.example.com` | `api.example.com` and `v1.api.example.com`, with one label or more; not `example.com` |
/// | `192.0.2.1`, `2001:db8::1` | this address; no pattern but this one stands for an address |
///
/// Whole labels are compared, from the right and in any letter case, so `api.example.com.attacker.net` and
/// `badexample.com` are no hosts of `**.example.com`. A dot at the end of a name makes no difference. Names in other scripts
/// are compared in punycode (RFC 5891), in which they can be written too. The zone of an address stands behind a percent sign
/// (`fe80::1%en0`, RFC 4007, section 11), which is escaped only within brackets. A pattern names no port.
public struct HostPattern: Sendable, Hashable, ExpressibleByStringLiteral {
    enum Kind: Sendable, Hashable {
        case exact(String)
        case oneLabel(below: String)
        case anyDepth(below: String)
        case malformed(String)
    }

    let kind: Kind

    private init(_ kind: Kind) { self.kind = kind }

    /// The pattern of one host, as ``Origin`` has it.
    static func exact(_ host: String) -> HostPattern { HostPattern(.exact(host)) }

    /// Reads a pattern.
    ///
    /// - Throws: ``MalformedValue`` if the text is none: it holds a scheme or a port, a star that does not stand alone at the
    ///   front or has nothing behind it, or a star before a part of an address.
    public init(_ text: String) throws(MalformedValue) {
        self.init(stringLiteral: text)
        try check()
    }

    /// Creates a pattern from a literal. One that is malformed is refused when a request would use it.
    public init(stringLiteral value: String) {
        let (prefix, name) = Self.parts(of: value)
        guard let host = Self.host(name), prefix.isEmpty || !Self.isAddress(host) else {
            kind = .malformed(value)
            return
        }
        switch prefix {
        case "*.": kind = .oneLabel(below: host)
        case "**.": kind = .anyDepth(below: host)
        default: kind = .exact(host)
        }
    }

    private static func parts(of text: String) -> (prefix: String, name: String) {
        for prefix in ["**.", "*."] where text.hasPrefix(prefix) {
            return (prefix, String(text.dropFirst(prefix.count)))
        }
        return ("", text)
    }

    /// Whether a host is one of those meant.
    ///
    /// - Parameter host: A name, or an address as ``Origin/host`` has it or, in brackets, as a URL does.
    public func matches(_ host: String) -> Bool {
        guard let host = Self.host(host) else { return false }
        return Self.candidates(for: host).contains(self)
    }

    /// All patterns that stand for a host, the most specific first: the host itself, then those with the longest name behind
    /// the star; of two with the same name the one for a single label.
    ///
    /// - Parameter host: A host as ``Origin`` has it.
    static func candidates(for host: String) -> [HostPattern] {
        var patterns = [HostPattern(.exact(host))]
        guard !isAddress(host) else { return patterns }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard !labels.contains("") else { return patterns }
        for count in 1..<max(1, labels.count) {
            let name = labels[count...].joined(separator: ".")
            if count == 1 { patterns.append(HostPattern(.oneLabel(below: name))) }
            patterns.append(HostPattern(.anyDepth(below: name)))
        }
        return patterns
    }

    /// Refuses a literal that is no pattern.
    func check() throws(MalformedValue) {
        guard case .malformed(let text) = kind else { return }
        throw MalformedValue(
            kind: "host of a TLS policy",
            name: text,
            reason: "it is a name or an address alone, without scheme and port, or a name behind \"*.\" or \"**.\""
        )
    }

    // MARK: Names of hosts

    /// A name as an ``Origin`` has it: in lower case, without a dot at the end, in punycode.
    static func host(_ name: String) -> String? {
        // What would end the host within a URL, or begin it anew. Stars have been dealt with.
        // Bytes and not characters: an accent that follows one would make another character of it.
        if name.utf8.contains(where: { "/?#@\\*".utf8.contains($0) }) { return nil }
        let hasBrackets = name.hasPrefix("[")
        // Brackets stand around an IPv6 address; Foundation takes them off a name too.
        guard name.contains(":") || !hasBrackets else { return nil }
        let isBareAddress = name.contains(":") && !hasBrackets
        // A percent sign, which a zone stands behind, is escaped in URLs alone (RFC 6874): a bare `%25` names the zone 25.
        let address = "https://" + (isBareAddress ? "[\(name.replacingOccurrences(of: "%", with: "%25"))]" : name)
        // Of a name in another script Foundation makes punycode; of an address it must make nothing else.
        let url = name.contains(":") ? URL(exactly: address) : URL(string: address)
        guard let url, url.port == nil else { return nil }
        // An escaped star is none that stands for labels, but would be shown as one.
        guard let host = Origin(url)?.host, !host.utf8.contains(UInt8(ascii: "*")) else { return nil }
        return host
    }

    /// Whether a host is an address, or what some programs take for one: all that ends in a number.
    private static func isAddress(_ host: String) -> Bool {
        if host.contains(":") { return true }
        guard let last = host.split(separator: ".").last else { return false }
        return last.utf8.allSatisfy(HTTPSyntax.isDigit)
            || (last.hasPrefix("0x") && last.dropFirst(2).allSatisfy(\.isHexDigit))
    }
}

extension HostPattern: CustomStringConvertible {
    /// The pattern, in lower case and punycode.
    public var description: String {
        switch kind {
        case .exact(let host): host
        case .oneLabel(let name): "*.\(name)"
        case .anyDepth(let name): "**.\(name)"
        case .malformed(let text): HTTPSyntax.printable(text)
        }
    }
}
