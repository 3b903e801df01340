// The few declarations of CryptoKit that this package uses, so that code behind `#if canImport(CryptoKit)` can be type-checked
// where CryptoKit does not exist. Bodies do nothing.

import Foundation

public protocol Digest: Hashable, Sequence, Sendable where Element == UInt8 {}

public protocol HashFunction {
    associatedtype Digest: CryptoKit.Digest
    init()
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    func finalize() -> Digest
}

public struct StubDigest: Digest {
    public func makeIterator() -> [UInt8].Iterator { [].makeIterator() }
}

public struct SHA256: HashFunction, Sendable {
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> StubDigest { StubDigest() }
}

public struct SHA512: HashFunction, Sendable {
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> StubDigest { StubDigest() }
}

public enum Insecure {
    public struct MD5: HashFunction, Sendable {
        public init() {}
        public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
        public func finalize() -> StubDigest { StubDigest() }
    }
}
