import Pipeline
import Testing

@testable import PipelineActions

/// Who goes next, as a table of what happens: "enter" somebody, let somebody "leave", or "withdraw".
struct PermitQueueTests {
    enum Step: Sendable {
        /// Somebody comes: a name, the host, the priority, and when their send began.
        case enter(String, at: String = "a", priority: UInt8 = 5, start: Int = 0)
        case leave(String)
        case withdraw(String)
    }

    struct Play: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let total: Int?
        let perHost: Int?
        var overtakingLimit = 100
        let steps: [Step]
        /// The names in the order in which they may go.
        let order: [String]
    }

    static let plays = [
        Play(
            testDescription: "no limit",
            total: nil,
            perHost: nil,
            steps: [.enter("1"), .enter("2"), .enter("3", at: "b")],
            order: ["1", "2", "3"]
        ),
        Play(
            testDescription: "in all",
            total: 2,
            perHost: nil,
            steps: [.enter("1"), .enter("2", at: "b"), .enter("3", at: "c"), .enter("4"), .leave("2"), .leave("1")],
            order: ["1", "2", "3", "4"]
        ),
        Play(
            testDescription: "at each host",
            total: nil,
            perHost: 1,
            steps: [.enter("1"), .enter("2"), .enter("3", at: "b"), .leave("3"), .leave("1")],
            order: ["1", "3", "2"]
        ),
        Play(
            testDescription: "a full host holds up nobody elsewhere",
            total: 2,
            perHost: 1,
            steps: [.enter("1"), .enter("2"), .enter("3", at: "b"), .enter("4", at: "c"), .leave("3")],
            order: ["1", "3", "4"]
        ),
        Play(
            testDescription: "less than one is one",
            total: 0,
            perHost: -3,
            steps: [.enter("1"), .enter("2"), .leave("1")],
            order: ["1", "2"]
        ),
        Play(
            testDescription: "by priority",
            total: 1,
            perHost: nil,
            steps: [
                .enter("1"), .enter("low", priority: 1), .enter("high", at: "b", priority: 9), .enter("mid"),
                .leave("1"), .leave("high"), .leave("mid"),
            ],
            order: ["1", "high", "mid", "low"]
        ),
        Play(
            testDescription: "then by the start of the send",
            total: 1,
            perHost: nil,
            steps: [
                .enter("1", start: 1), .enter("third", start: 3), .enter("second", start: 2),
                .enter("fourth", at: "b", start: 4), .leave("1"), .leave("second"), .leave("third"),
            ],
            order: ["1", "second", "third", "fourth"]
        ),
        Play(
            testDescription: "then as they came",
            total: 1,
            perHost: nil,
            steps: [
                .enter("1"), .enter("2"), .enter("3", at: "b"), .enter("4"), .leave("1"), .leave("2"), .leave("3"),
            ],
            order: ["1", "2", "3", "4"]
        ),
        Play(
            testDescription: "who withdraws is passed over",
            total: 1,
            perHost: nil,
            steps: [.enter("1"), .enter("2"), .enter("3"), .withdraw("2"), .leave("1")],
            order: ["1", "3"]
        ),
        Play(
            testDescription: "who goes does not withdraw",
            total: 1,
            perHost: nil,
            steps: [.enter("1"), .withdraw("1"), .enter("2"), .leave("1")],
            order: ["1", "2"]
        ),
        Play(
            testDescription: "overtaken twice, then next",
            total: 1,
            perHost: nil,
            overtakingLimit: 2,
            steps: [
                .enter("1"), .enter("low", priority: 1), .enter("a", priority: 9), .enter("b", priority: 9),
                .enter("c", priority: 9), .leave("1"), .leave("a"), .leave("b"), .leave("low"),
            ],
            order: ["1", "a", "b", "low", "c"]
        ),
        Play(
            testDescription: "overtaken at another host",
            total: 1,
            perHost: nil,
            overtakingLimit: 1,
            steps: [
                .enter("1"), .enter("low", priority: 1), .enter("a", at: "b", priority: 9),
                .enter("b", at: "b", priority: 9), .leave("1"), .leave("a"), .leave("low"),
            ],
            order: ["1", "a", "low", "b"]
        ),
        Play(
            testDescription: "who could not have gone is not overtaken",
            total: 2,
            perHost: 1,
            overtakingLimit: 1,
            steps: [
                .enter("1"), .enter("low", priority: 1), .enter("2", at: "b"), .enter("3", at: "b", priority: 9),
                .enter("4", at: "b", priority: 9), .enter("high", priority: 9), .leave("2"), .leave("3"), .leave("1"),
                .leave("high"),
            ],
            order: ["1", "2", "3", "4", "high", "low"]
        ),
        Play(
            testDescription: "nobody is overtaken by who came before",
            total: 1,
            perHost: nil,
            overtakingLimit: 1,
            steps: [
                .enter("1"), .enter("a", priority: 9), .enter("low", priority: 1), .enter("b", priority: 5),
                .leave("1"), .leave("a"), .leave("b"),
            ],
            order: ["1", "a", "b", "low"]
        ),
        Play(
            testDescription: "of two that are due the first goes first",
            total: 1,
            perHost: nil,
            overtakingLimit: 1,
            steps: [
                .enter("1"), .enter("low", priority: 1), .enter("mid", priority: 2), .enter("a", priority: 9),
                .enter("b", priority: 9), .leave("1"), .leave("a"), .leave("low"), .leave("mid"),
            ],
            order: ["1", "a", "low", "mid", "b"]
        ),
    ]

    @Test(arguments: plays)
    func `lets go in order`(play: Play) throws {
        var queue = PermitQueue<Int>(
            total: play.total,
            perHost: play.perHost,
            overtakingLimit: play.overtakingLimit
        )
        var names: [PermitQueue<Int>.Ticket: String] = [:]
        var hosts: [String: Origin] = [:]
        var tickets: [String: PermitQueue<Int>.Ticket] = [:]
        var order: [String] = []
        for step in play.steps {
            switch step {
            case .enter(let name, let host, let priority, let start):
                let origin = try #require(Origin("https://\(host).test"))
                let (ticket, mayGo) = queue.enter(origin, priority: priority, start: start)
                names[ticket] = name
                tickets[name] = ticket
                hosts[name] = origin
                if mayGo { order.append(name) }
            case .leave(let name):
                let host = try #require(hosts[name])
                if let next = queue.leave(host) { order.append(try #require(names[next])) }
            case .withdraw(let name):
                let hasWaited = queue.withdraw(try #require(tickets[name]))
                #expect(hasWaited == !order.contains(name))
            }
        }
        #expect(order == play.order)
    }

    @Test func `forgets everybody who has gone`() throws {
        var generator = SeededGenerator(seed: 7)
        var queue = PermitQueue<Int>(total: 5, perHost: 2, overtakingLimit: 3)
        let hosts = try (0..<4).map { try #require(Origin("https://\($0).test")) }
        var running: [PermitQueue<Int>.Ticket] = []
        var waiting: [PermitQueue<Int>.Ticket] = []
        var place: [PermitQueue<Int>.Ticket: Origin] = [:]
        for round in 0..<5000 {
            let host = hosts[Int.random(in: 0..<4, using: &generator)]
            switch Int.random(in: 0..<3, using: &generator) {
            case 0:
                let priority = UInt8.random(in: 1...3, using: &generator)
                let (ticket, mayGo) = queue.enter(host, priority: priority, start: round)
                place[ticket] = host
                if mayGo { running.append(ticket) } else { waiting.append(ticket) }
            case 1 where !waiting.isEmpty:
                let ticket = waiting.remove(at: Int.random(in: 0..<waiting.count, using: &generator))
                let hasWaited = queue.withdraw(ticket)
                #expect(hasWaited)
            default:
                guard !running.isEmpty else { continue }
                let ticket = running.remove(at: Int.random(in: 0..<running.count, using: &generator))
                guard let next = queue.leave(try #require(place[ticket])) else { continue }
                waiting.removeAll { $0 == next }
                running.append(next)
            }
            #expect(queue.running == running.count && queue.waiting == waiting.count && running.count <= 5)
            for host in hosts { #expect(running.filter { place[$0] == host }.count <= 2) }
        }
        while let ticket = running.popLast() {
            guard let next = queue.leave(try #require(place[ticket])) else { continue }
            waiting.removeAll { $0 == next }
            running.append(next)
        }
        #expect(waiting.isEmpty)
        #expect(queue.isEmpty)
    }
}

/// The same numbers each time.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    // Sebastiano Vigna's SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
