public import Foundation

/// Scheme, host and port (RFC 6454, section 4): what a credential is bound to.
///
/// Two URLs have the same origin if these three are equal after they have been written in one way: scheme and host in lower
/// case, the host without a dot at its end, an IPv6 address in its shortest form (RFC 5952), the port filled in. Names in
/// punycode stay in punycode. IPv4 addresses in unusual notations (`127.1`, `0x7f.0.0.1`) are taken for names, so they never
/// pass for the address itself.
public struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// The scheme, in lower case.
    public let scheme: String

    /// The host, in lower case and without a dot at its end; an IPv6 address without its brackets.
    public let host: String

    /// The port; that of the scheme if the URL names none: 80 for http and ws, 443 for https and wss.
    public let port: Int

    /// The origin of a URL.
    ///
    /// - Returns: `nil` if the URL has no scheme or no host, if its scheme has no port of its own and it names none, if the
    ///   port is above 65535, or if the host holds characters that no name has, escaped or not: a slash, say.
    public init?(_ url: URL) {
        if let origin = Self.plain(in: url.absoluteString) {
            self = origin
            return
        }
        guard let scheme = url.scheme?.lowercased(), let host = Self.host(of: url),
            let port = url.port ?? Self.defaultPorts[scheme], (0...65_535).contains(port)
        else { return nil }
        self.scheme = scheme
        self.port = port
        self.host = host
    }

    /// The origin of a URL given as text: `https://api.example.com`.
    ///
    /// - Returns: `nil` if the text is no URL as it stands, or for the reasons that ``init(_:)-(URL)`` has.
    public init?(_ text: String) {
        guard let url = URL(exactly: text) else { return nil }
        self.init(url)
    }

    private static let defaultPorts = ["http": 80, "https": 443, "ws": 80, "wss": 443]

    /// Whether the scheme protects what is sent: https and wss.
    public var isSecure: Bool { scheme == "https" || scheme == "wss" }

    /// Whether the host is this machine: `localhost` and the names below it (RFC 6761, section 6.3), 127.0.0.0/8 (RFC 1122,
    /// section 3.2.1.3), ::1 (RFC 4291, section 2.5.3).
    public var isLoopback: Bool {
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { $0.utf8.allSatisfy(HTTPSyntax.isDigit) && UInt8($0) != nil }
    }

    /// The origin as a URL, without a port that goes without saying.
    public var description: String {
        let host = host.contains(":") ? "[\(host.replacingOccurrences(of: "%", with: "%25"))]" : host
        return "\(scheme)://\(host)" + (port == Self.defaultPorts[scheme] ? "" : ":\(port)")
    }
}

// How most URLs are read: those that are written as an origin would be.
extension Origin {
    private init(scheme: String, host: String, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// The origin of `http://` or `https://`, a host of lower-case letters, digits, dots and hyphens, and a port or none. Of
    /// everything else, and of what may be written in another way, it tells nothing.
    private static func plain(in text: String) -> Origin? {
        text.utf8.withContiguousStorageIfAvailable(plain) ?? nil
    }

    private static func plain(in bytes: UnsafeBufferPointer<UInt8>) -> Origin? {
        let isSecure = begins(bytes, with: "https://")
        guard isSecure || begins(bytes, with: "http://") else { return nil }
        let host = bytes[(isSecure ? 8 : 7)...].prefix(while: isPlainHostByte)
        guard let first = host.first, let last = host.last, last != UInt8(ascii: "."), first != UInt8(ascii: "v") else {
            return nil
        }
        var rest = bytes[host.endIndex...]
        var port = isSecure ? 443 : 80
        if rest.first == UInt8(ascii: ":") {
            let digits = rest.dropFirst().prefix(while: HTTPSyntax.isDigit)
            guard (1...5).contains(digits.count) else { return nil }
            port = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            rest = bytes[digits.endIndex...]
        }
        guard port <= 65_535, rest.first.map(endsAuthority) ?? true else { return nil }
        return Origin(scheme: isSecure ? "https" : "http", host: String(decoding: host, as: UTF8.self), port: port)
    }

    private static func begins(_ bytes: UnsafeBufferPointer<UInt8>, with text: StaticString) -> Bool {
        text.withUTF8Buffer { $0.count <= bytes.count && zip($0, bytes).allSatisfy { $0 == $1 } }
    }

    private static func isPlainHostByte(_ byte: UInt8) -> Bool {
        HTTPSyntax.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }

    /// What can follow host and port (RFC 3986, section 3.2).
    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
}

// How hosts are written in one way.
extension Origin {
    private static func host(of url: URL) -> String? {
        guard let encoded = url.host(percentEncoded: true), let decoded = url.host(percentEncoded: false) else {
            return nil
        }
        // A colon that is not escaped stands in an address only. An escaped one makes no address of a name.
        if encoded.utf8.contains(UInt8(ascii: ":")) { return address(decoded) }
        guard decoded.utf8.allSatisfy(isHostByte), !isFutureAddress(encoded, of: url) else { return nil }
        let lower = decoded.lowercased()
        let bare = lower.hasSuffix(".") ? String(lower.dropLast()) : lower
        // A second dot would stand behind a label that is empty.
        return bare.isEmpty || bare.hasSuffix(".") ? nil : bare
    }

    /// Whether the host is an address of a version to come, `[v1.x]`. Foundation takes the brackets off, and what is left looks
    /// like a name.
    private static func isFutureAddress(_ host: String, of url: URL) -> Bool {
        guard let first = host.utf8.first, first | 0x20 == UInt8(ascii: "v") else { return false }
        return url.texts.address.utf8.contains(UInt8(ascii: "["))
    }

    /// The address in its shortest form; a zone behind it stays as it is (RFC 6874).
    private static func address(_ text: String) -> String? {
        let bare = text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text[...]
        let parts = bare.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let number = parts.first, parts.count == 1 || parts[1].utf8.allSatisfy(isHostByte) else { return nil }
        var binary = in6_addr()
        var shortest = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_pton(AF_INET6, String(number), &binary) == 1,
            inet_ntop(AF_INET6, &binary, &shortest, socklen_t(shortest.count)) != nil
        else { return nil }
        let address = String(decoding: shortest.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return parts.count == 1 ? address : "\(address)%\(parts[1])"
    }

    /// What a name can hold as it is (RFC 3986, section 3.2.2): what stands in a URL only when it is escaped would be read back
    /// as something else, or end the host.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        HTTPSyntax.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || "-._~!$&'()*+,;=".utf8.contains(byte)
    }
}
