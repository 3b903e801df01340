import Foundation
import Pipeline

/// How the server is reached, and what it must prove.
struct ConnectionOptions: Sendable {
    /// The name of a transport; the platform's best if `nil`.
    private(set) var transport: String?
    private(set) var proxy = ProxyChoice.environment
    /// Addresses by host and port: `["a.test:443": "::1"]`.
    private(set) var resolve: [String: String] = [:]
    private(set) var allowsHTTP2 = true
    private(set) var tls = TLSOptions()
    /// The options that were given and that only some transports can honour.
    private(set) var demands: [String] = []

    /// Reads an option, if it is one of these.
    ///
    /// - Returns: Whether it is.
    mutating func read(_ name: String, from words: inout ArgumentReader) throws(UsageError) -> Bool {
        switch name {
        case "--transport":
            transport = try words.choice(of: name, among: TransportTable.names)
            return true
        case "--proxy": proxy = try ProxyChoice(words.value(of: name))
        case "--resolve": try resolve(words.value(of: name))
        case "--http1.1": allowsHTTP2 = false
        default:
            guard try tls.read(name, from: &words) else { return false }
        }
        demands.append(name)
        return true
    }

    /// Reads `HOST:PORT:ADDRESS`.
    private mutating func resolve(_ text: String) throws(UsageError) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let host = Origin.host(parts[0]), let port = UInt16(parts[1]), port > 0,
            let address = Self.address(parts[2])
        else { throw UsageError("write --resolve HOST:PORT:ADDRESS, with a name and an IPv4 or IPv6 address") }
        resolve["\(host):\(port)"] = address
    }

    /// An IPv4 address, or an IPv6 address with its brackets taken off.
    private static func address(_ text: String) -> String? {
        var binary = in_addr()
        if inet_pton(AF_INET, text, &binary) == 1 { return text }
        guard let host = Origin.host(text), host.contains(":") else { return nil }
        return host
    }
}

extension Origin {
    /// A host as an option names it, in the one way in which origins write hosts; `nil` if it is none. An IPv6 address may
    /// stand in brackets or bare.
    static func host(_ text: String) -> String? {
        let isBare = text.contains(":") && !text.hasPrefix("[")
        guard !text.contains(where: { "/?#@%".contains($0) }),
            let host = Origin("https://" + (isBare ? "[\(text)]" : text))?.host
        else { return nil }
        // What reads as more than a host has a port.
        return text.hasPrefix("[") && !text.hasSuffix("]") ? nil : host
    }
}
