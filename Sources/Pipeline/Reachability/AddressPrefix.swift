import Foundation

/// A block of IPv4 or IPv6 addresses: those that begin with the same bits (RFC 4632, section 3.1; RFC 4291, section 2.3).
struct AddressPrefix: Sendable, Hashable {
    /// The address, 4 bytes or 16. What lies beyond the prefix does not count, and is zero.
    let bytes: [UInt8]
    /// How many bits count.
    let length: Int

    /// - Returns: `nil` if the bytes are no address, or there are not so many bits in it.
    init?(_ bytes: some Collection<UInt8>, length: Int) {
        guard bytes.count == 4 || bytes.count == 16, (0...bytes.count * 8).contains(length) else { return nil }
        self.length = length
        self.bytes = bytes.enumerated().map { position, byte in
            let bits = min(8, max(0, length - position * 8))
            return byte & ~UInt8(0xFF >> bits)
        }
    }

    /// One address, as an origin writes it. An IPv4 address in IPv6 notation counts as the former (RFC 4291, section 2.5.5.2).
    ///
    /// - Returns: `nil` if the text is no address, or one with a zone.
    init?(address text: String) {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(withUnsafeBytes(of: &four) { Array($0) }, length: 32)
            return
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: &six) { Array($0) }
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            self.init(bytes[12...], length: 32)
        } else {
            self.init(bytes, length: 128)
        }
    }

    /// A block as it is written: `10.0.0.0/8`. For blocks that are known to be right.
    private init(known text: StaticString) {
        let parts = "\(text)".split(separator: "/")
        guard parts.count == 2, let length = Int(parts[1]), let address = AddressPrefix(address: String(parts[0])),
            let prefix = AddressPrefix(address.bytes, length: length)
        else { preconditionFailure("\(text) is no block of addresses") }
        self = prefix
    }

    /// Whether all addresses of another block are in this one.
    func covers(_ other: AddressPrefix) -> Bool {
        bytes.count == other.bytes.count && length <= other.length
            && AddressPrefix(other.bytes, length: length)?.bytes == bytes
    }

    /// Whether it covers the whole internet, or a half of it as tunnels do to stand in front of the default route; for IPv6
    /// also the part that is assigned, 2000::/3.
    var isDefault: Bool { length <= (bytes.count == 4 ? 1 : 3) }

    /// Whether it is a single address.
    var isHost: Bool { length == bytes.count * 8 }

    /// Whether the block is reached without a router, by everyone (RFC 3927; RFC 4291, section 2.5.6), or is a group
    /// (RFC 5771; RFC 4291, section 2.7).
    var isLocal: Bool { Self.local.contains { $0.covers(self) } }

    /// Whether the block is one for private networks (RFC 1918; RFC 6598; RFC 4193).
    var isPrivate: Bool { Self.private.contains { $0.covers(self) } }

    /// Whether it means this machine (RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3).
    var isLoopback: Bool { Self.loopback.contains { $0.covers(self) } }

    private static let local = [
        AddressPrefix(known: "169.254.0.0/16"), AddressPrefix(known: "224.0.0.0/4"), AddressPrefix(known: "fe80::/10"),
        AddressPrefix(known: "ff00::/8"),
    ]
    private static let `private` = [
        AddressPrefix(known: "10.0.0.0/8"), AddressPrefix(known: "172.16.0.0/12"),
        AddressPrefix(known: "192.168.0.0/16"),
        AddressPrefix(known: "100.64.0.0/10"), AddressPrefix(known: "fc00::/7"),
    ]
    // To connect to the unspecified address is to connect to this machine.
    private static let loopback = [
        AddressPrefix(known: "127.0.0.0/8"), AddressPrefix(known: "0.0.0.0/32"), AddressPrefix(known: "::1/128"),
        AddressPrefix(known: "::/128"),
    ]
}

extension AddressPrefix: Comparable {
    /// An order, so that equal sets of blocks are equal lists.
    static func < (one: AddressPrefix, other: AddressPrefix) -> Bool {
        if one.bytes.count != other.bytes.count { return one.bytes.count < other.bytes.count }
        return one.bytes == other.bytes ? one.length < other.length : one.bytes.lexicographicallyPrecedes(other.bytes)
    }
}
