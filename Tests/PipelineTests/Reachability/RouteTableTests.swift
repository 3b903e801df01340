#if canImport(Glibc)
    @testable import Pipeline
    import Testing

    struct RouteTableTests {
        typealias Bytes = NetlinkBytes

        static let home = [
            Bytes.link(1, "lo", flags: 0x49), Bytes.address([127, 0, 0, 1], on: 1),
            Bytes.link(2, "eth0"), Bytes.address([192, 0, 2, 9], on: 2),
            Bytes.route([127, 0, 0, 0], 8, over: 1, routeType: 2, table: 255),
            Bytes.route([192, 0, 2, 0], 24, over: 2), Bytes.route([0, 0, 0, 0], 0, over: 2, priority: 100),
        ]
        static let lte = [
            Bytes.link(3, "wwan0"), Bytes.address([100, 64, 0, 1], on: 3),
            Bytes.route([0, 0, 0, 0], 0, over: 3, priority: 700),
        ]

        func path(_ datagrams: [[UInt8]]) -> NetworkPath {
            var table = RouteTable()
            for (message, _) in datagrams.flatMap({ NetlinkReader($0).messages }) { _ = table.apply(message) }
            return table.path { $0.kind { $0 == "device" } }
        }

        /// What happens after a wired machine has come up, and what its path is then.
        @Test(
            arguments: [
                ([], .satisfied, ["eth0"]),
                ([Bytes.link(2, "eth0", flags: 0)], .unsatisfied, []),
                ([Bytes.link(2, "eth0", flags: 0x1)], .unsatisfied, []),  // Up, without a carrier.
                ([Bytes.link(2, "eth0", flags: 0), Bytes.link(2, "eth0")], .satisfied, ["eth0"]),
                ([Bytes.link(2, "eth0", type: 17)], .unsatisfied, []),
                // A port that leaves a bridge is no link that goes.
                ([Bytes.link(2, "eth0", type: 17, family: 7)], .satisfied, ["eth0"]),
                ([Bytes.address([192, 0, 2, 9], on: 2, type: 21)], .unsatisfied, []),
                ([Bytes.route([0, 0, 0, 0], 0, over: 2, type: 25, priority: 100)], .unsatisfied, ["eth0"]),
                // Another default route than the one that is there.
                ([Bytes.route([0, 0, 0, 0], 0, over: 2, type: 25, priority: 200)], .satisfied, ["eth0"]),
                // In its place one that leads over a link that is not up.
                ([Bytes.route([0, 0, 0, 0], 0, over: 9, flags: 0x100, priority: 100)], .unsatisfied, ["eth0"]),
                // An unreachable one is no way out (RTN_UNREACHABLE).
                (
                    [
                        Bytes.route([0, 0, 0, 0], 0, over: 2, type: 25, priority: 100),
                        Bytes.route([0, 0, 0, 0], 0, over: 1, routeType: 7),
                    ], .unsatisfied, ["eth0"]
                ),
                // A tunnel that stands in front of the default route with two halves.
                (
                    [
                        Bytes.route([0, 0, 0, 0], 0, over: 2, type: 25, priority: 100),
                        Bytes.route([0, 0, 0, 0], 1, over: 2), Bytes.route([128, 0, 0, 0], 1, over: 2),
                    ], .satisfied, ["eth0"]
                ),
                // One of several ways is enough.
                (
                    [
                        Bytes.route([0, 0, 0, 0], 0, over: 2, type: 25, priority: 100),
                        Bytes.route([0, 0, 0, 0], 0, over: 9, 2),
                    ], .satisfied, ["eth0"]
                ),
                (lte, .satisfied, ["eth0", "wwan0"]),
                (lte + [Bytes.link(2, "eth0", flags: 0x1)], .satisfied, ["wwan0"]),
            ] as [([[UInt8]], NetworkPath.Status, [String])]
        )
        func `folds what happens into a path`(
            changes: [[UInt8]],
            status: NetworkPath.Status,
            interfaces: [String]
        ) {
            let path = path(Self.home + changes)
            #expect(path.status == status)
            #expect(path.interfaces.map(\.name) == interfaces)
        }

        @Test func `has no way out over loopback alone, nor over a link that has only an address of its own making`() {
            let alone = Array(Self.home.prefix(2)) + [Self.home[4]]
            #expect(path(alone).status == .unsatisfied)
            let linkLocal = [
                Bytes.link(2, "eth0"), Bytes.address([169, 254, 3, 4], on: 2),
                Bytes.route([0, 0, 0, 0], 0, over: 2, priority: 1000),
            ]
            #expect(path(alone + linkLocal).status == .unsatisfied)
        }

        @Test func `does not believe a kernel that has addresses and no routes`() {
            let path = path(Array(Self.home.prefix(4)))
            #expect(path.status == .unknown)
            #expect(path.obstacle != nil)
        }

        @Test func `says that bytes cost money only of a mobile network in front`() {
            #expect(path(Self.home + Self.lte).isExpensive == nil)
            #expect(path(Self.home + Self.lte + [Bytes.link(2, "eth0", flags: 0)]).isExpensive == true)
        }

        @Test(arguments: [
            (Bytes.link(2, "eth0", flags: 0), true), (Bytes.link(2, "renamed"), false), (Bytes.link(5, "new"), true),
            (Bytes.link(2, "eth0", type: 17), true), (Bytes.link(5, "new", type: 17), false),
            (Bytes.address([192, 0, 2, 9], on: 2, type: 21), true),
            (Bytes.address([192, 0, 2, 8], on: 2, type: 21), false),
            (Bytes.address([192, 0, 2, 8], on: 2), false), (Bytes.route([10, 0, 0, 0], 8, over: 2), false),
        ])
        func `knows when routes may have gone without notice`(change: [UInt8], isSo: Bool) throws {
            var table = RouteTable()
            for (message, _) in Self.home.flatMap({ NetlinkReader($0).messages }) { _ = table.apply(message) }
            let message = try #require(NetlinkReader(change).messages.first?.message)
            #expect(table.apply(message) == isSo)
        }

        @Test(
            arguments: [
                ("wlan0", nil, ["wireless", "device"], .wifi), ("wlan0", nil, ["phy80211"], .wifi),
                ("wwan0", nil, ["device"], .cellular), ("ppp0", nil, [], .cellular), ("eth0", nil, ["device"], .wired),
                ("cable", "veth", [], .wired), ("docker0", "bridge", [], .other), ("tun0", "tun", [], .other),
                ("eth9", nil, [], .other),
            ] as [(String, String?, Set<String>, NetworkInterface.Kind)]
        )
        func `tells what an interface is connected to`(
            name: String,
            maker: String?,
            properties: Set<String>,
            kind: NetworkInterface.Kind
        ) {
            let link = NetlinkLink(index: 2, name: name, hardware: 1, flags: 0x41, maker: maker)
            #expect(link.kind(has: properties.contains) == kind)
        }
    }
#endif
