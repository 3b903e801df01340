extension String {
    /// Looks at the UTF-8 bytes of the text where they lie. That is several times as quick as to take one after the other out
    /// of `utf8`, which asks anew for each how the text is stored.
    @inline(__always)  // So that the closure is compiled into the loop.
    func withBytes<Result>(_ look: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(look) { return result }
        var copy = self  // One of Objective-C's strings, whose characters are not UTF-8.
        return copy.withUTF8(look)
    }

    /// The first place of an ASCII character.
    func firstPlace(of byte: UInt8) -> Index? { firstPlace { $0 == byte } }

    /// The first place of one of the ASCII characters that a closure picks.
    @inline(__always)
    func firstPlace(where isWanted: (UInt8) -> Bool) -> Index? {
        withBytes { $0.firstIndex(where: isWanted) }.map { utf8.index(utf8.startIndex, offsetBy: $0) }
    }
}
