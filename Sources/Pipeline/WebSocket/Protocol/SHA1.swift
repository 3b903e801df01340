/// SHA-1 (FIPS 180-4, section 6.1), for the one place that asks for it: the handshake of a WebSocket. It is broken and protects
/// nothing there; it only shows that the server has read the request (RFC 6455, section 1.3). The inputs have 60 bytes, and a
/// system's library need not be there.
package enum SHA1 {
    /// The 20 bytes of the digest.
    package static func digest(of message: some Sequence<UInt8>) -> [UInt8] {
        var padded = Array(message)
        let bits = UInt64(padded.count) * 8
        padded.append(0x80)
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - $0 * 8)) }
        var hash: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        for block in stride(from: 0, to: padded.count, by: 64) { take(padded[block..<block + 64], into: &hash) }
        return hash.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - $0 * 8)) } }
    }

    private static func take(_ block: ArraySlice<UInt8>, into hash: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
            block[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 {
            words.append(
                rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], by: 1)
            )
        }
        var (a, b, c, d, e) = (hash[0], hash[1], hash[2], hash[3], hash[4])
        for (index, word) in words.enumerated() {
            let (mix, constant): (UInt32, UInt32) =
                switch index {
                case 0..<20: (b & c | ~b & d, 0x5A82_7999)
                case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case 40..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let sum = rotated(a, by: 5) &+ mix &+ e &+ constant &+ word
            (e, d, c, b, a) = (d, c, rotated(b, by: 30), a, sum)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { hash[index] &+= value }
    }

    private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
