/// What of hosts decides about the `Domain` attribute.
enum CookieDomain {
    /// Whether the host is the domain or lies below it, in whole labels (RFC 6265, section 5.1.3). An address lies below
    /// nothing.
    static func host(_ host: String, isWithin domain: String) -> Bool {
        guard host != domain else { return true }
        return host.utf8.count > domain.utf8.count && host.hasSuffix("." + domain) && !isAddress(host)
    }

    /// Whether there can be hosts below it that belong to the same owner, as far as that can be told without a list of public
    /// suffixes: it has two labels at least, and is no address.
    static func canHaveSubdomains(_ host: String) -> Bool {
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count >= 2 && !labels.contains(where: \.isEmpty) && !isAddress(host)
    }

    /// Whether the host is an IPv6 address, or ends in a number, as no name does and IPv4 addresses in all their notations do.
    static func isAddress(_ host: String) -> Bool {
        let bytes = host.utf8
        if bytes.contains(UInt8(ascii: ":")) { return true }
        guard let last = bytes.split(separator: UInt8(ascii: ".")).last else { return false }
        let isHexadecimal = last.starts(with: "0x".utf8) && last.dropFirst(2).allSatisfy(isHexDigit)
        return isHexadecimal || last.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The host and all that it lies below, itself first.
    static func lineage(of host: String) -> [String] {
        guard !isAddress(host) else { return [host] }
        var lineage = [host]
        var rest = host.utf8[...]
        while let dot = rest.firstIndex(of: UInt8(ascii: ".")) {
            rest = rest[rest.index(after: dot)...]
            lineage.append(String(decoding: rest, as: UTF8.self))
        }
        return lineage
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}
