/// Chance at its worst: every pause is its bound.
struct HighestGenerator: RandomNumberGenerator, Sendable {
    func next() -> UInt64 { .max }
}
