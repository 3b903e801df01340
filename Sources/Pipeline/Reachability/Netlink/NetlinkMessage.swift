#if canImport(Glibc)
    /// One message of the kernel about links, addresses and routes (rtnetlink(7)), as far as it is of use here.
    enum NetlinkMessage: Sendable, Hashable {
        /// A link is there, new or changed.
        case link(NetlinkLink)
        /// A link is gone; its index.
        case linkGone(Int32)
        /// An interface has an address.
        case address(NetlinkAddress)
        /// An interface has an address no more.
        case addressGone(NetlinkAddress)
        /// There is a route. `replaces` is set if it takes the place of one to the same destination.
        case route(NetlinkRoute, replaces: Bool)
        /// A route is gone.
        case routeGone(NetlinkRoute)
        /// The end of a list that was asked for.
        case done
        /// The kernel refuses what was asked for; the system's error number. Zero is an acknowledgement.
        case refused(Int32)
        /// Messages were lost.
        case lost
        /// A message that is none of these, or whose content makes no sense.
        case other
    }

    /// A network interface as the kernel tells of it.
    struct NetlinkLink: Sendable, Hashable {
        var index: Int32
        var name: String
        /// The type of the device (ARPHRD_).
        var hardware: UInt16
        /// IFF_ flags.
        var flags: UInt32
        /// What made it: `veth`, `bridge`, `wireguard`; `nil` for a device.
        var maker: String?

        var isLoopback: Bool { flags & 0x8 != 0 }

        /// Whether it is up (IFF_UP), and so is its carrier (IFF_RUNNING).
        var isRunning: Bool { flags & 0x41 == 0x41 }
    }

    /// An address of an interface.
    struct NetlinkAddress: Sendable, Hashable {
        var link: Int32
        /// The address alone, without the network it is part of.
        var address: AddressPrefix
    }

    /// A route.
    struct NetlinkRoute: Sendable, Hashable {
        var destination: AddressPrefix
        var table: UInt32
        /// The smaller, the sooner it is used.
        var priority: UInt32
        /// RTN_ numbers.
        var type: UInt8
        /// Where it leads; empty if that was not told.
        var links: [Int32]

        /// Whether it leads to hosts elsewhere (RTN_UNICAST).
        var isUnicast: Bool { type == 1 }

        /// Whether its addresses are this machine's own (RTN_LOCAL).
        var isOwn: Bool { type == 2 }
    }

    /// The numbers of netlink (linux/netlink.h, linux/rtnetlink.h). The kernel's interface never changes them.
    enum Netlink {
        static let family = UInt16(16)  // AF_NETLINK
        static let routeProtocol = Int32(0)  // NETLINK_ROUTE

        static let headerSize = 16  // struct nlmsghdr

        static let error = UInt16(2)
        static let done = UInt16(3)
        static let overrun = UInt16(4)
        static let newLink = UInt16(16)
        static let deleteLink = UInt16(17)
        static let getLink = UInt16(18)
        static let newAddress = UInt16(20)
        static let deleteAddress = UInt16(21)
        static let getAddress = UInt16(22)
        static let newRoute = UInt16(24)
        static let deleteRoute = UInt16(25)
        static let getRoute = UInt16(26)

        static let isInterrupted = UInt16(0x10)  // NLM_F_DUMP_INTR
        static let isReplacement = UInt16(0x100)  // NLM_F_REPLACE
        static let requestsDump = UInt16(0x301)  // NLM_F_REQUEST | NLM_F_DUMP

        /// RTMGRP_LINK, _IPV4_IFADDR, _IPV4_ROUTE, _IPV6_IFADDR and _IPV6_ROUTE.
        static let groups = UInt32(0x1 | 0x10 | 0x40 | 0x100 | 0x400)
    }
#endif
