#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import TestSupport
    import Testing

    /// What is left behind, told by a process of its own: the other tests open and close things too.
    @Suite(.serialized, .timeLimit(.minutes(3)))
    struct CurlSoakTests {
        @Test func `50,000 requests, cancelled, reset, broken off and slow, end once each and leave nothing behind`()
            async
        {
            await ExitTestTurn.take {
                await #expect(processExitsWith: .success) {
                    let soak = try Soak()
                    await soak.send(Soak.size / 5)
                    let before = Footprint.now
                    await soak.send(Soak.size * 4 / 5)
                    let after = Footprint.now
                    print("after a fifth: \(before); at the end: \(after); \(soak.tally)")
                    try #require(soak.count == Soak.size)
                    try #require(after.descriptors <= before.descriptors + 64, "idle connections may differ")
                    try #require(after.residentMegabytes - before.residentMegabytes < 20)
                    await soak.end()
                }
            }
        }

        @Test func `ends without a thread, a socket or a descriptor left`() async {
            await ExitTestTurn.take {
                await #expect(processExitsWith: .success) {
                    let server = try LoopbackServer()
                    server.handle { _ in .text("ok") }
                    let before = Footprint.now
                    for _ in 0..<20 {
                        let transport = CurlTransport()
                        _ = try await transport.send(NetworkRequest(url: server.url)).body.collect()
                        try #require(Footprint.now.loops == 1)
                        await transport.shutdown()
                        // The kernel takes a joined thread off its list a moment later.
                        for _ in 0..<1000 where Footprint.now.loops > 0 { await Task.yield() }
                        try #require(Footprint.now.loops == 0)
                        _ = await server.nextClosedConnection()
                    }
                    let after = Footprint.now
                    try #require(after.descriptors <= before.descriptors, "\(before) and \(after)")
                }
            }
        }

        @Test func `closes connections that nobody has used for a while`() async {
            await ExitTestTurn.take {
                await #expect(processExitsWith: .success) {
                    let server = try LoopbackServer()
                    server.handle { _ in .text("ok") }
                    var configuration = CurlTransport.Configuration()
                    configuration.restingTime = .milliseconds(50)
                    let transport = CurlTransport(configuration: configuration)
                    for _ in 0..<3 {
                        _ = try await transport.send(NetworkRequest(url: server.url)).body.collect()
                        let connection = await server.nextClosedConnection()
                        try #require(connection.wasClosedByClient)
                    }
                }
            }
        }

        @Test func `memory stays flat while a reader is slow, whatever the size of the body`() async {
            await ExitTestTurn.take {
                await #expect(processExitsWith: .success) {
                    let server = try LoopbackServer()
                    let size = 300 << 20
                    server.handle("GET", "/large") { _ in .repeating(Data(count: 1 << 16), count: size >> 16) }
                    server.handle("GET", "/small") { _ in .text("ok") }
                    let transport = CurlTransport()
                    _ = try await transport.send(NetworkRequest(url: server.url("/small"))).body.collect()
                    let before = Footprint.now
                    let large = try await transport.send(NetworkRequest(url: server.url("/large"), delivery: .stream))
                    for _ in 0..<500 {
                        _ = try await transport.send(NetworkRequest(url: server.url("/small"))).body.collect()
                    }
                    var count = 0
                    for try await chunk in large.body { count += chunk.count }
                    let after = Footprint.now
                    try #require(count == size)
                    try #require(after.peakMegabytes - before.peakMegabytes < 30, "\(before) and \(after)")
                }
            }
        }
    }

    /// Sends that go wrong in every way there is.
    private final class Soak: Sendable {
        /// How many requests. They take the processor from all other tests, so there are more only where `SOAK_REQUESTS` says
        /// so: `Scripts/soak` has 50,000.
        static var size: Int {
            ProcessInfo.processInfo.environment["SOAK_REQUESTS"].flatMap { Int($0) } ?? 5_000
        }

        private let server: LoopbackServer
        private let transport = CurlTransport()
        private let network: Network
        private let ends = Locked<[String: Int]>([:])

        init() throws {
            server = try LoopbackServer(records: false)
            network = Network(transport: transport)
            server.handle("GET", "/ok") { _ in .text("ok") }
            server.handle("GET", "/slow") { _ in .text("slow").after(.delay(.milliseconds(5))) }
            server.handle("GET", "/reset") { _ in [.reset] }
            server.handle("GET", "/closed") { _ in .text("bye").then(.close) }
            server.handle("GET", "/short") { _ in
                [.head(200, headers: ["Content-Length": "100"]), .bytes("abc"), .close]
            }
            server.handle("GET", "/stream") { _ in .chunked((0..<20).map { "chunk \($0)" }) }
            server.handle("POST", "/ok") { request in .status(200, body: request.body) }
        }

        var count: Int { ends.withLock { $0.values.reduce(0, +) } }

        var tally: String {
            ends.withLock { $0.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" } }.joined(separator: ", ")
        }

        func send(_ count: Int) async {
            let width = 100
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<width {
                    group.addTask {
                        var chance = SplitMix(seed: UInt64(worker + count))
                        for _ in 0..<(count / width) { await self.sendOne(&chance) }
                    }
                }
            }
        }

        private func sendOne(_ chance: inout SplitMix) async {
            let target = ["/ok", "/ok", "/ok", "/slow", "/reset", "/closed", "/short", "/stream"].randomElement(
                using: &chance
            )
            var request = NetworkRequest(url: server.url(target ?? "/ok"))
            if target == "/ok", Bool.random(using: &chance) {
                request.method = .post
                request.body = .bytes(Data(count: Int.random(in: 0..<20_000, using: &chance)))
            }
            if target == "/stream" { request.delivery = .stream }
            let isCancelled = Int.random(in: 0..<4, using: &chance) == 0
            let pause = Duration.microseconds(Int.random(in: 0..<6000, using: &chance))
            let task = Task { [network, request] in
                do {
                    let response = try await network.send(request)
                    _ = try await response.body.collect()
                    return "whole"
                } catch {
                    return error.networkError?.code.rawValue ?? "\(error)"
                }
            }
            let limit = isCancelled ? SystemTime.shared.startLimit(of: pause) { task.cancel() } : nil
            let end = await task.value
            limit?.lift()
            ends.withLock { $0[end, default: 0] += 1 }
        }

        func end() async {
            await transport.shutdown()
            server.stop()
        }
    }

    /// What this process holds.
    private struct Footprint: CustomStringConvertible {
        let descriptors: Int
        /// Threads of event loops.
        let loops: Int
        let residentMegabytes: Int
        let peakMegabytes: Int

        /// Whether sizes mean anything: a sanitizer keeps several bytes for each.
        static let hasMeaningfulSizes = dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil

        static var now: Footprint {
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            func megabytes(_ name: String) -> Int {
                let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
                return (line.split(separator: " ").compactMap { Int($0) }.first ?? 0) / 1024
            }
            let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            let names = tasks.map { (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) ?? "" }
            return Footprint(
                descriptors: (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0,
                loops: names.count { $0.hasPrefix("pipeline.curl") },
                residentMegabytes: hasMeaningfulSizes ? megabytes("VmRSS") : 0,
                peakMegabytes: hasMeaningfulSizes ? megabytes("VmHWM") : 0
            )
        }

        var description: String {
            "\(descriptors) descriptors, \(loops) loops, \(residentMegabytes) MB, \(peakMegabytes) MB at most"
        }
    }

    /// Chance that repeats itself.
    private struct SplitMix: RandomNumberGenerator {
        private var state: UInt64

        init(seed: UInt64) { state = seed }

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            return bits ^ (bits >> 31)
        }
    }
#endif
