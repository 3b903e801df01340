import Foundation
import Pipeline
import Testing

struct TrustRootsTests {
    private let one = Certificate(der: Data([0x30, 0x00]))
    private let other = Certificate(der: Data([0x30, 0x01, 0x00]))

    @Test func `adding none to those of the system leaves them`() {
        #expect(TrustRoots.system(adding: []) == .system)
    }

    @Test func `trusting nobody is not trusting the system`() {
        #expect(TrustRoots.only([]) != .system)
    }

    @Test func `some and no others are not the same as some more`() {
        #expect(TrustRoots.only([one]) != .system(adding: [one]))
    }

    @Test func `the order of certificates does not matter, nor that one is named twice`() {
        #expect(TrustRoots.only([one, other]) == .only([other, one, other]))
        #expect(TrustRoots.system(adding: [one]) != .system(adding: [one, other]))
    }
}
