import Foundation
import Pipeline
import PipelineTesting
import Testing

/// The timer that serves all limits of the machine's clock.
@Suite(.timeLimit(.minutes(3)))
struct SystemTimeTests {
    @Test func `limits strike in the order of their deadlines, and those that were lifted do not`() async throws {
        let log = EventLog()
        let done = OneShot<Void>()
        let time = SystemTime.shared
        let handles = [30, 10, 20, 15, 5].map { milliseconds in
            time.startLimit(of: .milliseconds(milliseconds)) {
                log.append("\(milliseconds)")
                if milliseconds == 30 { done.resolve(()) }
            }
        }
        handles[2]?.lift()
        await done.valueOrCancellation()

        #expect(log.lines == ["5", "10", "15", "30"])
    }

    @Test func `a lifted limit is gone at once, from any place in the queue`() async throws {
        let leaks = LeakCheck()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    let limits = (0..<200).map { number in
                        let token = leaks.token("\(task).\(number)")
                        return SystemTime.shared.startLimit(of: .seconds(1000 + (number * 7919) % 200)) {
                            withExtendedLifetime(token) { _ = Issue.record("a lifted limit struck") }
                        }
                    }
                    for limit in limits.shuffled() { limit?.lift() }
                }
            }
        }
        await leaks.untilAllReleased()
    }
}
