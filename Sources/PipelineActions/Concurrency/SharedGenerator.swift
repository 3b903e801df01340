/// A source of randomness that many sends draw from; copies draw from the same.
struct SharedGenerator: RandomNumberGenerator, Sendable {
    private let generator: Guarded<any RandomNumberGenerator & Sendable>

    init(_ generator: any RandomNumberGenerator & Sendable) {
        self.generator = Guarded(generator)
    }

    func next() -> UInt64 {
        generator.withLock { $0.next() }
    }
}
