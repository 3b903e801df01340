import Foundation
import Pipeline
import Testing

final class QuietWatchTests: Sendable {
    private let time = StepTime()
    private let strikes = Locked(0)

    private func makeWatch() -> QuietWatch {
        QuietWatch(time: time) { [self] in strikes.withLock { $0 += 1 } }
    }

    private var count: Int { strikes.withLock { $0 } }

    @Test func `strikes once when nothing has moved for the limit`() {
        let watch = makeWatch()
        watch.start(limit: .seconds(10))

        time.advance(by: .seconds(9))
        #expect(count == 0)
        time.advance(by: .seconds(1))
        #expect(count == 1)
        time.advance(by: .seconds(100))
        #expect(count == 1)
    }

    @Test func `never strikes while there are signs of life`() {
        let watch = makeWatch()
        watch.start(limit: .seconds(10))

        for _ in 0..<20 {
            time.advance(by: .seconds(6))
            watch.sign()
        }
        #expect(count == 0)
        time.advance(by: .seconds(4))
        time.advance(by: .seconds(6))
        #expect(count == 1)
    }

    @Test func `goes on with another limit`() {
        let watch = makeWatch()
        watch.start(limit: .seconds(100))
        time.advance(by: .seconds(50))

        watch.start(limit: .seconds(10))

        time.advance(by: .seconds(10))
        #expect(count == 1)
    }

    @Test func `does not count while it is paused`() {
        let watch = makeWatch()
        watch.start(limit: .seconds(10))
        watch.pause()
        time.advance(by: .seconds(100))
        watch.resume()

        time.advance(by: .seconds(9))
        #expect(count == 0)
        time.advance(by: .seconds(1))
        #expect(count == 1)
    }

    @Test(arguments: [Duration?.none, .unlimited])
    func `rests without a limit`(limit: Duration?) {
        let watch = makeWatch()
        watch.start(limit: limit)

        time.advance(by: .seconds(1_000_000))

        #expect(count == 0)
        #expect(time.running == 0)
    }

    @Test func `is silent and holds no timer after it was stopped`() {
        let watch = makeWatch()
        watch.start(limit: .seconds(10))
        watch.stop()

        #expect(time.running == 0)
        time.advance(by: .seconds(100))
        watch.start(limit: .seconds(1))
        time.advance(by: .seconds(100))

        #expect(count == 0)
    }
}

/// A time that stands still until it is told to move, and then lets due limits strike on the spot.
private final class StepTime: TimeSource {
    private struct State: Sendable {
        var now = Duration.zero
        var next = 0
        var limits: [Int: (deadline: Duration, expire: @Sendable () -> Void)] = [:]
    }

    private struct Handle: TimeLimitHandle {
        let number: Int
        let time: StepTime

        func lift() { time.lift(number) }
    }

    private let state = Locked(State())

    var now: Duration { state.withLock { $0.now } }

    var date: Date { Date(timeIntervalSince1970: 0) }

    var running: Int { state.withLock { $0.limits.count } }

    func sleep(for duration: Duration, purpose: PausePurpose) async throws {}

    func startLimit(of duration: Duration, expire: @escaping @Sendable () -> Void) -> (any TimeLimitHandle)? {
        state.withLock { state in
            state.next += 1
            state.limits[state.next] = (state.now + duration, expire)
            return Handle(number: state.next, time: self)
        }
    }

    func advance(by duration: Duration) {
        let due = state.withLock { state -> [@Sendable () -> Void] in
            state.now += duration
            let now = state.now
            let due = state.limits.filter { $0.value.deadline <= now }
            for number in due.keys { state.limits[number] = nil }
            return due.values.map(\.expire)
        }
        for expire in due { expire() }
    }

    private func lift(_ number: Int) {
        state.withLock { $0.limits[number] = nil }
    }
}
