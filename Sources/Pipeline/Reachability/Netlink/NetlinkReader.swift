#if canImport(Glibc)
    /// What one datagram of the kernel says.
    ///
    /// Nothing is read beyond a bound that was checked. A message whose content makes no sense is ``NetlinkMessage/other``; where
    /// the length of one makes no sense, what follows it cannot be found, and the datagram ``isBroken``.
    struct NetlinkReader {
        /// The messages, each with the number of the request it answers, zero for a notice.
        private(set) var messages: [(message: NetlinkMessage, sequence: UInt32)] = []
        /// Whether a list was cut through by a change, so that it must be asked for anew.
        private(set) var isInterrupted = false
        /// Whether the rest of the datagram could not be read.
        private(set) var isBroken = false

        init(_ datagram: [UInt8]) {
            var rest = datagram[...]
            while !rest.isEmpty {
                guard let length = rest.integer(at: 0, UInt32.self).map(Int.init), length >= Netlink.headerSize,
                    length <= rest.count, let type = rest.integer(at: 4, UInt16.self),
                    let flags = rest.integer(at: 6, UInt16.self), let sequence = rest.integer(at: 8, UInt32.self)
                else {
                    isBroken = true
                    return
                }
                let content = rest.prefix(length).dropFirst(Netlink.headerSize)
                if flags & Netlink.isInterrupted != 0, Self.isOfList(type) { isInterrupted = true }
                messages.append((Self.message(type, flags, content), sequence))
                rest = rest.dropFirst(Self.aligned(length))
            }
        }

        /// Whether the flags of a message are those of a list's part. In notices the same bit means something else.
        private static func isOfList(_ type: UInt16) -> Bool {
            type == Netlink.done || [Netlink.newLink, Netlink.newAddress, Netlink.newRoute].contains(type)
        }

        private static func message(_ type: UInt16, _ flags: UInt16, _ content: ArraySlice<UInt8>) -> NetlinkMessage {
            switch type {
            case Netlink.newLink: link(content).map { .link($0) } ?? .other
            case Netlink.deleteLink: link(content).map { .linkGone($0.index) } ?? .other
            case Netlink.newAddress: address(content).map { .address($0) } ?? .other
            case Netlink.deleteAddress: address(content).map { .addressGone($0) } ?? .other
            case Netlink.newRoute:
                route(content).map { .route($0, replaces: flags & Netlink.isReplacement != 0) } ?? .other
            case Netlink.deleteRoute: route(content).map { .routeGone($0) } ?? .other
            case Netlink.done: .done
            case Netlink.error:
                content.integer(at: 0, Int32.self).map { .refused($0 == .min ? .max : abs($0)) } ?? .other
            case Netlink.overrun: .lost
            default: .other
            }
        }

        /// `struct ifinfomsg`: family, a byte unused, type, index, flags, change; then attributes. What has a family is about the
        /// link's part in a bridge, not about the link.
        private static func link(_ content: ArraySlice<UInt8>) -> NetlinkLink? {
            guard let hardware = content.integer(at: 2, UInt16.self), let index = content.integer(at: 4, Int32.self),
                let flags = content.integer(at: 8, UInt32.self), content.count >= 16, content.first == 0, index > 0
            else { return nil }
            var link = NetlinkLink(index: index, name: "", hardware: hardware, flags: flags, maker: nil)
            for (type, value) in attributes(content.dropFirst(16)) {
                switch type {
                case 3: link.name = text(value)  // IFLA_IFNAME
                case 18:  // IFLA_LINKINFO, and in it IFLA_INFO_KIND
                    link.maker = attributes(value).first { $0.type == 1 }.map { text($0.value) }
                default: break
                }
            }
            return link.name.isEmpty ? nil : link
        }

        /// `struct ifaddrmsg`: family, length of the prefix, flags, scope, index; then attributes.
        private static func address(_ content: ArraySlice<UInt8>) -> NetlinkAddress? {
            guard let family = content.first, let index = content.integer(at: 4, UInt32.self), content.count >= 8,
                let link = Int32(exactly: index), let size = size(of: family)
            else { return nil }
            let attributes = attributes(content.dropFirst(8))
            // IFA_LOCAL is the interface's own address where IFA_ADDRESS is that of the other end.
            let own = attributes.first { $0.type == 2 } ?? attributes.first { $0.type == 1 }
            guard let value = own?.value, value.count == size, let address = AddressPrefix(value, length: size * 8)
            else {
                return nil
            }
            return NetlinkAddress(link: link, address: address)
        }

        /// `struct rtmsg`: family, length of destination and source, service, table, protocol, scope, type, flags; then
        /// attributes.
        private static func route(_ content: ArraySlice<UInt8>) -> NetlinkRoute? {
            guard content.count >= 12, let family = content.first, let size = size(of: family) else { return nil }
            let header = Array(content.prefix(12))
            // One that is marked RTM_F_CLONED is a cached copy of another.
            guard let flags = content.integer(at: 8, UInt32.self), flags & 0x200 == 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: size)
            var table = UInt32(header[4])
            var priority = UInt32(0)
            var links: [Int32] = []
            for (type, value) in attributes(content.dropFirst(12)) {
                switch type {
                case 1 where value.count == size: bytes = Array(value)  // RTA_DST
                case 4: links += value.integer(at: 0, Int32.self).map { [$0] } ?? []  // RTA_OIF
                case 6: priority = value.integer(at: 0, UInt32.self) ?? 0  // RTA_PRIORITY
                case 9: links += hops(value)  // RTA_MULTIPATH
                case 15: table = value.integer(at: 0, UInt32.self) ?? table  // RTA_TABLE
                default: break
                }
            }
            return AddressPrefix(bytes, length: Int(header[1])).map { destination in
                NetlinkRoute(destination: destination, table: table, priority: priority, type: header[7], links: links)
            }
        }

        /// The links of a route with several ways, `struct rtnexthop` each: length, flags, hops, index; then attributes.
        private static func hops(_ list: ArraySlice<UInt8>) -> [Int32] {
            var rest = list
            var links: [Int32] = []
            while let length = rest.integer(at: 0, UInt16.self).map(Int.init),
                (8...max(8, rest.count)).contains(length),
                let link = rest.integer(at: 4, Int32.self)
            {
                links.append(link)
                rest = rest.dropFirst(aligned(length))
            }
            return links
        }

        /// Attributes, `struct rtattr` each: length and type, then the value. The list ends where a length makes no sense.
        private static func attributes(_ list: ArraySlice<UInt8>) -> [(type: UInt16, value: ArraySlice<UInt8>)] {
            var rest = list
            var attributes: [(type: UInt16, value: ArraySlice<UInt8>)] = []
            while let length = rest.integer(at: 0, UInt16.self).map(Int.init),
                let type = rest.integer(at: 2, UInt16.self),
                length >= 4, length <= rest.count
            {
                attributes.append((type & 0x3FFF, rest.prefix(length).dropFirst(4)))  // Without NLA_F_ flags.
                rest = rest.dropFirst(aligned(length))
            }
            return attributes
        }

        private static func text(_ value: ArraySlice<UInt8>) -> String {
            String(decoding: value.prefix { $0 != 0 }, as: UTF8.self)
        }

        /// How many bytes an address of a family has: AF_INET, AF_INET6.
        private static func size(of family: UInt8) -> Int? {
            switch family {
            case 2: 4
            case 10: 16
            default: nil
            }
        }

        private static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }
    }

    extension ArraySlice<UInt8> {
        /// The integer at an offset from the start, in the machine's order; `nil` beyond the end.
        fileprivate func integer<Value: FixedWidthInteger>(at offset: Int, _ type: Value.Type) -> Value? {
            guard offset >= 0, count - offset >= MemoryLayout<Value>.size else { return nil }
            return withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
        }
    }
#endif
