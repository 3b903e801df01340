import Dispatch
@testable import Pipeline
import PipelineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct NetworkMonitorTests {
    let source = ManualPathSource(.satisfied)

    @Test func `asks nobody before somebody asks it`() {
        let monitor = NetworkMonitor(source: source)
        #expect(!source.isHeard)
        #expect(!monitor.isClear)
        #expect(monitor.currentPath.status == .satisfied)
        #expect(source.isHeard)
        #expect(monitor.isClear)
        source.report(.unsatisfied)
        #expect(!monitor.isClear)
        #expect(monitor.currentPath.status == .unsatisfied)
        source.report(.unknown)
        #expect(monitor.isClear)
    }

    @Test func `tells a sequence the present path, then every change`() async {
        let monitor = NetworkMonitor(source: source)
        var paths = monitor.paths.makeAsyncIterator()
        #expect(await paths.next()?.status == .satisfied)
        source.report(.satisfied)  // No change.
        source.report(.unsatisfied)
        #expect(await paths.next()?.status == .unsatisfied)
        source.report(.satisfied)
        #expect(await paths.next()?.status == .satisfied)
    }

    @Test func `tells a slow reader the last path only`() async {
        let monitor = NetworkMonitor(source: source)
        var paths = monitor.paths.makeAsyncIterator()
        source.report(.unsatisfied)
        source.report(NetworkPath(.satisfied, isExpensive: true))
        #expect(await paths.next() == NetworkPath(.satisfied, isExpensive: true))
    }

    @Test func `calls back on a queue, in order`() async {
        let monitor = NetworkMonitor(source: source)
        let queue = DispatchQueue(label: "test")
        let calls = AsyncStream<NetworkPath.Status>.makeStream()
        let observation = monitor.onChange(on: queue) { path in
            dispatchPrecondition(condition: .onQueue(queue))
            calls.continuation.yield(path.status)
        }
        var heard = calls.stream.makeAsyncIterator()
        #expect(await heard.next() == .satisfied)
        source.report(.unsatisfied)
        #expect(await heard.next() == .unsatisfied)
        source.report(.satisfied)
        #expect(await heard.next() == .satisfied)
        observation.cancel()
    }

    @Test func `calls back on the main queue unless told otherwise`() async {
        let monitor = NetworkMonitor(source: source)
        let calls = AsyncStream<NetworkPath.Status>.makeStream()
        let observation = monitor.onChange { path in
            dispatchPrecondition(condition: .onQueue(.main))
            calls.continuation.yield(path.status)
        }
        var heard = calls.stream.makeAsyncIterator()
        #expect(await heard.next() == .satisfied)
        observation.cancel()
    }

    @Test func `calls a slow queue with the last path, and not after its observation was cancelled`() {
        let monitor = NetworkMonitor(source: source)
        let queue = DispatchQueue(label: "test", attributes: .initiallyInactive)
        let heard = Locked<[NetworkPath.Status]>([])
        let kept = monitor.onChange(on: queue) { path in heard.withLock { $0.append(path.status) } }
        let cancelled = monitor.onChange(on: queue) { _ in Issue.record("it was cancelled") }
        source.report(.unsatisfied)
        cancelled.cancel()
        queue.activate()
        queue.sync {}
        #expect(heard.withLock { $0 } == [.unsatisfied])
        kept.cancel()
        source.report(.satisfied)
        queue.sync {}
        #expect(heard.withLock { $0 } == [.unsatisfied])
    }

    @Test func `waits for the network, and stops waiting with its task`() async throws {
        let source = ManualPathSource(.unsatisfied)
        let monitor = NetworkMonitor(source: source)
        let waiting = Task { try await monitor.waitForNetwork() }
        source.report(.satisfied)
        #expect(try await waiting.value.isSatisfied)

        source.report(.unsatisfied)
        let stopped = Task { try await monitor.waitForNetwork() }
        stopped.cancel()
        await #expect(throws: CancellationError.self) { try await stopped.value }
    }

    @Test func `leaves nothing behind`() async {
        let leaks = LeakCheck()
        do {
            let token = leaks.token("callback")
            let monitor = NetworkMonitor(source: source)
            let observation = monitor.onChange(on: .global()) { _ in withExtendedLifetime(token) {} }
            for await _ in monitor.paths { break }
            _ = observation
        }
        await leaks.untilAllReleased()
        #expect(!source.isHeard)
    }

    #if canImport(Glibc)
        @Test func `leaves no socket behind`() async {
            let leaks = LeakCheck()
            do {
                let token = leaks.token("report")
                let system = NetlinkPathSource()
                system.start { _ in withExtendedLifetime(token) {} }
                system.stop()
            }
            await leaks.untilAllReleased()
        }

        @Test func `hears of the network that this machine has, whatever that is`() {
            let path = NetworkMonitor().currentPath
            #expect((path.status == .unknown) == (path.obstacle != nil))
            #expect(!path.interfaces.contains { $0.name == "lo" })
        }
    #endif

    @Test(arguments: [
        (
            NetworkPath(.satisfied, interfaces: [NetworkInterface(name: "eth0", kind: .wired)]),
            "satisfied over eth0 (wired)"
        ),
        (NetworkPath(.unsatisfied), "unsatisfied"),
        (NetworkPath(.unknown, obstacle: "nobody may ask"), "unknown: nobody may ask"),
    ])
    func `has a text`(path: NetworkPath, text: String) {
        #expect("\(path)" == text)
    }
}
