import Testing

@testable import PipelineActions

struct TokenBucketTests {
    /// Capacity, interval in milliseconds, the moments at which a token is wanted, and the moments at which it is there.
    static let cases: [(Int, Int, [Int], [Int])] = [
        (1, 100, [0, 0, 0], [0, 100, 200]),
        (3, 100, [0, 0, 0, 0, 0], [0, 0, 0, 100, 200]),
        (3, 100, [0, 0, 0, 350, 350, 350, 350], [0, 0, 0, 350, 350, 350, 450]),
        (2, 100, [0, 0, 50, 50], [0, 0, 100, 200]),
        (2, 100, [0, 150, 300, 301, 302, 303], [0, 150, 300, 301, 400, 500]),
        (2, 100, [1_000_000, 1_000_000, 1_000_000], [1_000_000, 1_000_000, 1_000_100]),
        (5, 0, [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]),
        (0, 100, [0, 0], [0, 100]),
    ]

    @Test(arguments: cases)
    func `has a token when it is time`(capacity: Int, interval: Int, wanted: [Int], there: [Int]) {
        var bucket = TokenBucket(interval: .milliseconds(interval), capacity: capacity)
        var last = Duration.zero
        let moments = wanted.map { moment in
            let now = max(last, .milliseconds(moment))
            last = now + bucket.wait(for: 1, at: now)
            bucket.take(at: last)
            return last
        }
        #expect(moments == there.map { .milliseconds($0) })
    }

    @Test(arguments: 1...20)
    func `knows how long several take`(count: Int) {
        var bucket = TokenBucket(interval: .milliseconds(100), capacity: 4)
        for _ in 0..<6 { bucket.take(at: .zero) }
        let expected = bucket.wait(for: count, at: .zero)
        var now = Duration.zero
        for _ in 0..<count {
            now += bucket.wait(for: 1, at: now)
            bucket.take(at: now)
        }
        #expect(now == expected)
    }

    @Test func `is full again after a while, and never fuller`() {
        var bucket = TokenBucket(interval: .milliseconds(100), capacity: 2)
        #expect(bucket.isFull(at: .zero))
        bucket.take(at: .zero)
        #expect(!bucket.isFull(at: .milliseconds(99)))
        #expect(bucket.isFull(at: .milliseconds(100)))
    }
}
