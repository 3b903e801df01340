public import Foundation

/// Scheme, host and port (RFC 6454, section 4): what a credential is bound to.
public struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// The scheme, in lower case.
    public let scheme: String

    /// The host, in lower case and without a dot at its end; an IPv6 address without its brackets.
    public let host: String

    /// The port; that of the scheme if the URL names none.
    public let port: Int

    /// The origin of a URL.
    ///
    /// - Returns: `nil` if the URL has no scheme or no host, or if its scheme has no port of its own and it names none.
    public init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: false), !host.isEmpty,
            let port = url.port ?? Self.defaultPorts[scheme]
        else { return nil }
        self.scheme = scheme
        self.port = port
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        let lower = bare.lowercased()
        self.host = lower.count > 1 && lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }

    /// The origin of a URL given as text.
    public init?(_ text: String) {
        guard let url = URL(string: text, encodingInvalidCharacters: false) else { return nil }
        self.init(url)
    }

    private static let defaultPorts = ["http": 80, "https": 443, "ws": 80, "wss": 443]

    /// Whether the scheme protects what is sent.
    public var isSecure: Bool { scheme == "https" || scheme == "wss" }

    /// Whether the host is this machine (RFC 6761, section 6.3; RFC 4291, section 2.5.3).
    public var isLoopback: Bool {
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// The origin as a URL, without a port that goes without saying.
    public var description: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return "\(scheme)://\(HTTPSyntax.printable(host))" + (port == Self.defaultPorts[scheme] ? "" : ":\(port)")
    }
}
