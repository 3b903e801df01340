import PipelineTesting
import Testing

struct SeededGeneratorTests {
    /// The published first numbers of SplitMix64 for this seed.
    @Test func `gives the numbers of its algorithm`() {
        var generator = SeededGenerator(seed: 1_234_567)
        let numbers = (0..<3).map { _ in generator.next() }
        #expect(numbers == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
    }
}
