import PipelineActions
import PipelineTesting
import Testing

struct BackoffTests {
    @Test(arguments: [
        (Backoff.exponential, [0.5, 1, 2, 4, 8, 16, 20, 20]),
        (.exponential(base: .seconds(1), cap: .seconds(5)), [1, 2, 4, 5, 5]),
        (.exponential(base: .seconds(2), jitter: .none), [2, 4, 8, 16, 20]),
        (.exponential(base: .seconds(30)), [20, 20]),
        (.exponential(base: .zero), [0, 0]),
        (.exponential(base: .seconds(1), cap: .seconds(-1)), [0]),
        (.constant(.seconds(3)), [3, 3, 3]),
        (.constant(.seconds(-3)), [0]),
        (.twoFourEight, [2, 4, 8, 8, 8]),
        (.steps([]), [0, 0]),
        (.custom { .seconds($0 * 10) }, [10, 20, 30]),
        (.custom { _ in .seconds(-1) }, [0]),
    ])
    func `the longest pauses, attempt by attempt`(backoff: Backoff, seconds: [Double]) {
        var generator = HighestGenerator()
        let pauses = (1...seconds.count).map { backoff.pause(after: $0, using: &generator) }
        #expect(pauses == seconds.map { .seconds($0) })
    }

    @Test func `no number of attempts overflows`() {
        var generator = HighestGenerator()
        #expect(Backoff.exponential.pause(after: .max, using: &generator) == .seconds(20))
        let vast = Backoff.exponential(base: .seconds(Int64.max / 2), cap: .seconds(Int64.max))
        #expect(vast.pause(after: .max, using: &generator) > .seconds(Int64.max / 2))
    }

    @Test func `chance spreads pauses over all that is allowed, and is repeatable`() {
        func pauses(seed: UInt64) -> [Duration] {
            var generator = SeededGenerator(seed: seed)
            return (0..<1000).map { _ in Backoff.exponential.pause(after: 2, using: &generator) }
        }
        let drawn = pauses(seed: 1)

        #expect(drawn.allSatisfy { (.zero ... .seconds(1)).contains($0) })
        for tenth in 0..<10 {
            let range = Duration.milliseconds(tenth * 100)..<Duration.milliseconds(tenth * 100 + 100)
            #expect(drawn.count { range.contains($0) } > 50, "\(range)")
        }
        #expect(drawn == pauses(seed: 1))
        #expect(drawn != pauses(seed: 2))
    }
}
