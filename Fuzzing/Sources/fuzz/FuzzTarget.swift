import Foundation

/// A parser, and what has to hold whatever it reads.
struct FuzzTarget: Sendable {
    let name: String
    /// Throws what does not hold.
    let check: @Sendable (Data) throws -> Void

    init(_ name: String, bytes check: @escaping @Sendable (Data) throws -> Void) {
        self.name = name
        self.check = check
    }

    /// - Parameter check: Gets the bytes as text, with U+FFFD for what is no UTF-8.
    init(_ name: String, text check: @escaping @Sendable (String) throws -> Void) {
        self.init(name) { (data: Data) in try check(String(decoding: data, as: UTF8.self)) }
    }

    /// - Parameter check: Gets the texts between bytes of 0xFF, which no UTF-8 has.
    init(_ name: String, texts check: @escaping @Sendable ([String]) throws -> Void) {
        self.init(name) { (data: Data) in
            let texts = data.split(separator: 0xFF, omittingEmptySubsequences: false)
            try check(texts.map { String(decoding: $0, as: UTF8.self) })
        }
    }

    /// All targets. To add one takes a line here and a folder of seeds in `Seeds`.
    static let all = [
        // Streams
        FuzzTarget("lines", bytes: StreamChecks.lines),
        FuzzTarget("events", bytes: StreamChecks.events),
        // Heads
        FuzzTarget("head", bytes: HeadChecks.head),
        FuzzTarget("fields", bytes: HeadChecks.fields),
        // Fields
        FuzzTarget("links", texts: FieldChecks.links),
        FuzzTarget("challenges", texts: FieldChecks.challenges),
        FuzzTarget("content-type", texts: FieldChecks.contentType),
        FuzzTarget("limits", texts: FieldChecks.limits),
        FuzzTarget("trace-context", texts: FieldChecks.traceContext),
        FuzzTarget("dates", text: FieldChecks.dates),
        FuzzTarget("cookies", texts: CookieChecks.cookies),
        // Addresses
        FuzzTarget("paths", texts: AddressChecks.paths),
        FuzzTarget("queries", texts: AddressChecks.queries),
        FuzzTarget("hosts", texts: AddressChecks.hosts),
        FuzzTarget("certificates", bytes: AddressChecks.certificates),
        // Transfers
        FuzzTarget("content-disposition", text: TransferChecks.dispositions),
        FuzzTarget("content-range", text: TransferChecks.ranges),
        FuzzTarget("digests", text: TransferChecks.digests),
        FuzzTarget("websocket-frames", bytes: TransferChecks.frames),
        // Bodies
        FuzzTarget("multipart", texts: BodyChecks.multipart),
        FuzzTarget("charsets", bytes: BodyChecks.charsets),
        FuzzTarget("json", bytes: BodyChecks.json),
        FuzzTarget("redaction", texts: BodyChecks.redaction),
    ]
}

/// What should hold and does not.
struct Broken: Error, CustomStringConvertible {
    let description: String
}

func require(_ holds: Bool, _ rule: @autoclosure () -> String) throws(Broken) {
    guard holds else { throw Broken(description: rule()) }
}

func requireEqual<Value: Equatable>(
    _ one: Value,
    _ other: Value,
    _ rule: @autoclosure () -> String
) throws(Broken) {
    guard one == other else { throw Broken(description: "\(rule()):\n\(one)\n\(other)") }
}

extension Data {
    /// The bytes in pieces, cut at places that the bytes themselves decide on, so that an input always gives the same.
    var pieces: [Data] {
        // FNV-1a, then a linear congruential generator (Knuth's MMIX).
        var state: UInt64 = reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var pieces: [Data] = []
        var rest = self
        while !rest.isEmpty {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let length = Int(state >> 33) % 9
            pieces.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return pieces
    }

    /// The bytes one by one.
    var single: [Data] { map { Data([$0]) } }
}
