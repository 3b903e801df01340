@testable import Pipeline
import Testing

struct NetworkPathReachTests {
    static let remote = LocalNames(
        hostsFile: "127.0.0.1 localhost # mine.test\n192.0.2.7\tPrinter.test  printer\n",
        resolverFile: "search lan\nnameserver 192.0.2.53\n",
        hostName: "Box"
    )

    static func path(_ status: NetworkPath.Status, _ routes: [(String, Int)]?) -> NetworkPath {
        NetworkPath(
            status,
            interfaces: [],
            routes: routes?.compactMap { text, length in
                AddressPrefix(address: text).flatMap { AddressPrefix($0.bytes, length: length) }
            }
        )
    }

    static let out = path(.satisfied, [("0.0.0.0", 0), ("192.0.2.0", 24)])
    static let lan = path(.unsatisfied, [("192.0.2.0", 24), ("192.0.2.9", 32), ("127.0.0.0", 8)])
    static let alone = path(.unsatisfied, [("127.0.0.0", 8), ("fe80::", 64), ("2001:db8::9", 128)])
    static let vague = path(.unsatisfied, nil)

    @Test(
        arguments: [
            (out, "api.test", true), (out, "198.51.100.1", true), (out, "2001:db8::1", false),
            (out, "::ffff:192.0.2.1", true),
            (lan, "192.0.2.77", true), (lan, "198.51.100.1", false), (lan, "2001:db8::1", false),
            (lan, "api.test", nil),
            (alone, "api.test", false), (alone, "192.0.2.77", false), (alone, "2001:db8::9", true),
            (alone, "127.0.0.1", true), (alone, "127.8.9.1", true), (alone, "::1", true), (alone, "0.0.0.0", true),
            (alone, "localhost", true), (alone, "api.localhost", true), (alone, "::ffff:127.0.0.1", true),
            (alone, "169.254.1.2", nil), (alone, "fe80::1", nil), (alone, "fe80::1%eth0", nil), (alone, "ff02::1", nil),
            (alone, "printer", nil), (alone, "printer.test", nil), (alone, "box", nil), (alone, "tv.local", nil),
            (alone, "nowhere.invalid", nil), (alone, "127.1", nil), (alone, "mine.test", false),
            (vague, "198.51.100.1", false), (vague, "10.0.0.5", nil), (vague, "fd00::5", nil),
            (vague, "api.test", false),
            (NetworkPath(.satisfied), "198.51.100.1", true), (NetworkPath(.unknown), "198.51.100.1", nil),
            (NetworkPath(.unknown), "api.test", nil), (NetworkPath(.unknown), "127.0.0.1", true),
        ] as [(NetworkPath, String, Bool?)]
    )
    func `tells whether a host can be reached, as far as routes do`(path: NetworkPath, host: String, reached: Bool?) {
        #expect(path.reaches(host, names: Self.remote) == reached)
    }

    @Test(arguments: ["nameserver 127.0.0.53", "nameserver ::1", "nameserver fe80::1%eth0", "", "search lan"])
    func `does not judge names that a resolver of this machine may know`(resolver: String) {
        let names = LocalNames(hostsFile: "", resolverFile: resolver, hostName: "box")
        #expect(Self.alone.reaches("api.test", names: names) == nil)
        #expect(Self.alone.reaches("192.0.2.77", names: names) == false)
    }

    @Test(arguments: [
        ("192.0.2.1", 32), ("::ffff:192.0.2.1", 32), ("2001:db8::1", 128), ("192.0.2", nil), ("api.test", nil),
        ("fe80::1%eth0", nil), ("", nil),
    ])
    func `reads addresses`(text: String, length: Int?) {
        #expect(AddressPrefix(address: text)?.length == length)
    }

    @Test func `compares blocks bit by bit`() throws {
        let block = try #require(AddressPrefix([10, 1, 0b1011_1111, 9], length: 18))
        #expect(block.bytes == [10, 1, 0b1000_0000, 0])
        #expect(try block.covers(#require(AddressPrefix(address: "10.1.191.255"))))
        #expect(try !block.covers(#require(AddressPrefix(address: "10.1.192.0"))))
        #expect(try !block.covers(#require(AddressPrefix([10, 1, 128, 0], length: 17))))
        #expect(AddressPrefix([10, 1], length: 8) == nil)
        #expect(AddressPrefix([10, 1, 1, 1], length: 33) == nil)
    }
}
