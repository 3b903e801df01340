import Foundation
import Pipeline
import PipelineTesting
import Testing

@testable import PipelineActions

@Suite(.timeLimit(.minutes(3)))
struct LoggerTests {
    let log = EventLog()

    var sink: ClosureSink { ClosureSink { [log] in log.append("\($0.level) \($0.message)") } }

    struct Failure: Error {}

    /// A sink that waits until the test lets it go on.
    final class StuckSink: LogSink {
        let entered = OneShot<Void>()
        let gate = DispatchSemaphore(value: 0)
        let log = EventLog()

        func write(_ entry: LogEntry) throws {
            entered.resolve(())
            gate.wait()
            gate.signal()
            log.append(entry.message)
        }
    }

    @Test(arguments: [
        (LogLevel.debug, ["debug d", "debug l", "info i", "warning w", "error e"]),
        (.info, ["info i", "warning w", "error e"]), (.warning, ["warning w", "error e"]), (.error, ["error e"]),
    ])
    func `writes what reaches the minimum level`(level: LogLevel, expected: [String]) async {
        let logger = Logger(minimumLevel: level, sinks: [sink])
        logger.debug("d")
        logger.log("l")
        logger.info("i")
        logger.warning("w")
        logger.error("e")
        await logger.flush()
        #expect(log.lines == expected)
    }

    @Test func `the level can be changed, and what nobody reads is not made`() async {
        let logger = Logger(minimumLevel: .error, sinks: [sink])
        func message() -> String {
            Issue.record("made in vain")
            return ""
        }
        logger.info(message())
        logger.minimumLevel = .debug
        logger.debug("d", ["n": 1])
        await logger.flush()
        #expect(log.lines == ["debug d"])
    }

    @Test func `every sink gets the entries in order, with the date of the logger`() async {
        let clock = ManualClock(date: Date(timeIntervalSince1970: 60))
        let dates = ClosureSink { [log] in
            log.append("\(Int($0.date.timeIntervalSince1970)) \($0["n"].debugDescription)")
        }
        let logger = Logger(
            sinks: [dates, ClosureSink(format: LineFormat.plain) { [log] in log.append($0) }],
            time: clock
        )
        for number in 0..<3 {
            logger.write(LogEntry(.info, "\(number)", fields: [.init("n", .integer(number))]))
            clock.advance(by: .seconds(1))
        }
        await logger.flush()
        let values = (0..<3).map { "\(60 + $0) \(Optional(LogEntry.Value.integer($0)).debugDescription)" }
        #expect(log.lines == [values[0], "0", values[1], "1", values[2], "2"])
    }

    @Test func `a sink that fails is counted and keeps nobody else from the entry`() async {
        let logger = Logger(sinks: [ClosureSink { _ in throw Failure() }, sink])
        logger.info("a")
        logger.info("b")
        await logger.flush()
        #expect(log.lines == ["info a", "info b"])
        #expect(logger.losses == Logger.Losses(failed: 2))
    }

    @Test func `what finds the line full is dropped, counted and told`() async {
        let stuck = StuckSink()
        let logger = Logger(sinks: [stuck], maximumWaiting: 3)
        logger.info("0")
        await stuck.entered.value()
        for number in 1..<8 { logger.info("\(number)") }
        #expect(logger.losses.dropped == 5)
        stuck.gate.signal()
        await logger.flush()
        #expect(stuck.log.lines == ["0", "1", "2", "5 entries were dropped, since the sinks are too slow"])
        logger.info("8")
        await logger.flush()
        #expect(stuck.log.lines.last == "8")
        #expect(logger.losses.dropped == 5)
    }

    @Test func `what waits is bounded in bytes too`() async {
        let stuck = StuckSink()
        let logger = Logger(sinks: [stuck])
        logger.info("0")
        await stuck.entered.value()
        let large = String(repeating: "x", count: 1_000_000)
        for _ in 0..<100 { logger.info(large) }
        #expect(logger.losses.dropped == 93)
        stuck.gate.signal()
        await logger.flush()
        #expect(stuck.log.lines.count == 9)
    }

    @Test func `a wait for the sinks ends with its task`() async {
        let stuck = StuckSink()
        let logger = Logger(sinks: [stuck])
        logger.info("0")
        await stuck.entered.value()
        let flush = Task { await logger.flush() }
        flush.cancel()
        await flush.value
        #expect(stuck.log.lines == [])
        stuck.gate.signal()
        await logger.flush()
        #expect(stuck.log.lines == ["0"])
    }

    @Test func `entries outlive their logger`() async {
        let written = OneShot<Void>()
        let stuck = StuckSink()
        do {
            let logger = Logger(sinks: [stuck, ClosureSink { if $0.message == "1" { written.resolve(()) } }])
            logger.info("0")
            logger.info("1")
        }
        stuck.gate.signal()
        await written.value()
        #expect(stuck.log.lines == ["0", "1"])
    }

    @Test func `many threads write, none is lost`() async {
        let logger = Logger(sinks: [sink], maximumWaiting: 10_000)
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<500 { logger.info("\(task) \(number)") }
                    logger.minimumLevel = .debug
                    await logger.flush()
                }
            }
        }
        #expect(log.lines.count == 4_000)
        for task in 0..<8 {
            let own = log.lines.filter { $0.hasPrefix("info \(task) ") }
            #expect(own == (0..<500).map { "info \(task) \($0)" })
        }
    }

    @Test(arguments: [(false, false, true), (false, true, true), (true, true, true), (true, false, false)])
    func `is silent in release builds, if it is for debug builds only`(only: Bool, isDebug: Bool, expected: Bool) {
        #expect(Logger.isOn(debugBuildsOnly: only, isDebugBuild: isDebug) == expected)
    }

    @Test func `debug builds only`() async {
        let logger = Logger(sinks: [sink], debugBuildsOnly: true)
        logger.error("e")
        await logger.flush()
        #if DEBUG
            #expect(log.lines == ["error e"])
        #else
            #expect(log.lines == [])
            #expect(!logger.isEnabled(.error))
        #endif
    }
}
