#if canImport(Glibc)
    @testable import Pipeline
    import Testing

    struct NetlinkReaderTests {
        typealias Bytes = NetlinkBytes

        static let six: [UInt8] = [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [7]

        @Test func `reads what the kernel tells of links, addresses and routes`() throws {
            let eth = NetlinkLink(index: 2, name: "eth0", hardware: 1, flags: 0x41, maker: nil)
            let veth = NetlinkLink(index: 3, name: "veth1", hardware: 1, flags: 0, maker: "veth")
            let four = try #require(AddressPrefix(address: "192.0.2.9"))
            let six = try #require(AddressPrefix(Self.six, length: 128))
            let block = try #require(AddressPrefix([198, 51, 100, 0], length: 24))
            let all = try #require(AddressPrefix([0, 0, 0, 0], length: 0))
            let cases: [([UInt8], NetlinkMessage)] = [
                (Bytes.link(2, "eth0"), .link(eth)),
                (Bytes.link(3, "veth1", flags: 0, maker: "veth"), .link(veth)),
                (Bytes.link(2, "eth0", type: 17), .linkGone(2)),
                (Bytes.address([192, 0, 2, 9], on: 2), .address(NetlinkAddress(link: 2, address: four))),
                (
                    Bytes.address([192, 0, 2, 9], on: 2, peer: [192, 0, 2, 1]),
                    .address(NetlinkAddress(link: 2, address: four))
                ),
                (Bytes.address(Self.six, on: 2, type: 21), .addressGone(NetlinkAddress(link: 2, address: six))),
                (
                    Bytes.route([198, 51, 100, 0], 24, over: 2),
                    .route(NetlinkRoute(block, links: [2]), replaces: false)
                ),
                (
                    Bytes.route([0, 0, 0, 0], 0, over: 2, 3, flags: 0x100, priority: 9, table: 51_820),
                    .route(NetlinkRoute(all, table: 51_820, priority: 9, links: [2, 3]), replaces: true)
                ),
                (Bytes.route([198, 51, 100, 0], 24, type: 25), .routeGone(NetlinkRoute(block, links: []))),
                (Bytes.done(7), .done),
                (Bytes.refusal(95, 7), .refused(95)),
                (Bytes.message(4, []), .lost),
            ]
            for (datagram, message) in cases {
                let reader = NetlinkReader(datagram)
                #expect(reader.messages.map(\.message) == [message])
                #expect(!reader.isBroken)
            }
        }

        @Test(arguments: [
            Bytes.link(0, "none"), Bytes.link(2, ""), Bytes.link(2, "port", family: 7),
            Bytes.link(2, "port", type: 17, family: 7), Bytes.address([1, 2, 3], on: 2),
            Bytes.route([198, 51, 100, 0], 33, over: 2),
            Bytes.route([198, 51, 100, 0], 24, over: 2, routeFlags: 0x200),
            Bytes.message(16, []), Bytes.message(20, [2]), Bytes.message(24, [2, 0, 0]), Bytes.message(2, []),
            Bytes.message(99, [1, 2, 3]),
        ])
        func `passes over a message without sense, and reads the next`(datagram: [UInt8]) {
            let reader = NetlinkReader(datagram + Bytes.done(7))
            #expect(reader.messages.map(\.message) == [.other, .done])
            #expect(!reader.isBroken)
        }

        @Test(arguments: [UInt32(0), 15, 1_000, .max])
        func `reads up to a message whose length makes no sense`(length: UInt32) {
            let reader = NetlinkReader(Bytes.done(1) + Bytes.message(16, length: length, [1, 2, 3, 4]) + Bytes.done(2))
            #expect(reader.messages.map(\.message) == [.done])
            #expect(reader.isBroken)
        }

        @Test func `reads no further than there is, wherever a datagram is cut`() {
            let whole =
                Bytes.link(3, "veth1", maker: "veth") + Bytes.address(Self.six, on: 3)
                + Bytes.route([0, 0, 0, 0], 0, over: 2, 3, priority: 9)
            for count in 0..<whole.count {
                let reader = NetlinkReader(Array(whole.prefix(count)))
                #expect(reader.messages.count < 3)
            }
            #expect(NetlinkReader(whole).messages.count == 3)
        }

        @Test func `stays within bounds whatever a byte is changed to`() {
            let whole = Bytes.link(3, "veth1", maker: "veth") + Bytes.route([0, 0, 0, 0], 0, over: 2, 3, priority: 9)
            for position in whole.indices {
                for value in [UInt8(0), 1, 3, 5, 0x7F, 0xFF] {
                    var changed = whole
                    changed[position] = value
                    #expect(NetlinkReader(changed).messages.count <= 2)
                }
            }
        }

        @Test func `knows a list that a change cut through`() {
            #expect(NetlinkReader(Bytes.message(3, flags: 0x12, sequence: 1, [])).isInterrupted)
            #expect(!NetlinkReader(Bytes.done(1)).isInterrupted)
        }
    }

    extension NetlinkRoute {
        init(
            _ destination: AddressPrefix,
            table: UInt32 = 254,
            priority: UInt32 = 0,
            type: UInt8 = 1,
            links: [Int32]
        ) {
            self.init(destination: destination, table: table, priority: priority, type: type, links: links)
        }
    }
#endif
