/// Times of several contenders, taken in turns.
///
/// In each round every contender has its turn, so that what else the machine does falls on all of them; what counts is the
/// median of a contender's rounds.
struct Rounds {
    /// The median time of each contender's turns, in the order they were given.
    let medians: [Duration]

    /// Takes the times.
    ///
    /// - Parameters:
    ///   - rounds: How many rounds, besides a first one that warms up and does not count.
    ///   - contenders: What to do in a turn.
    init(_ rounds: Int, _ contenders: [() async throws -> Void]) async throws {
        var turns: [() async throws -> Duration] = []
        for contender in contenders {
            turns.append { try await ContinuousClock().measure { try await contender() } }
        }
        try await self.init(rounds, timed: turns)
    }

    /// Takes the times from contenders that know them better, because not all of a turn counts.
    ///
    /// - Parameters:
    ///   - rounds: How many rounds, besides a first one that warms up and does not count.
    ///   - contenders: What to do in a turn. Each returns how long it took.
    init(_ rounds: Int, timed contenders: [() async throws -> Duration]) async throws {
        var times = contenders.map { _ in [Duration]() }
        for round in 0...rounds {
            for (index, contender) in contenders.enumerated() {
                let time = try await contender()
                if round > 0 { times[index].append(time) }
            }
        }
        medians = times.map { $0.sorted()[rounds / 2] }
    }
}

extension Duration {
    /// The duration in seconds, for figures.
    var inSeconds: Double { self / .seconds(1) }
}
