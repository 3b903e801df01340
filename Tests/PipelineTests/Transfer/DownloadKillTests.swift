#if os(Linux)
    import Foundation
    import Pipeline
    import PipelineTesting
    import TestSupport
    import Testing

    /// Downloads by a program that is ended with SIGKILL, again and again.
    @Suite(.timeLimit(.minutes(3)))
    struct DownloadKillTests {
        static let kills = 20

        @Test func `a program that is killed twenty times ends with the file, and loses hardly a byte`() async throws {
            let folder = try DownloadFolder()
            let source = try KillingSource(size: 24 << 20, kills: Self.kills, for: folder)
            let server = try LoopbackServer()
            server.handle("GET", "/file.bin") { source.reply(to: $0) }
            let program = [Self.program, "\(server.url("/file.bin"))", folder.url.path]

            for number in 0..<Self.kills {
                let process = try ChildProcess(program)
                await source.stop(number)
                process.cutOff()
                #expect(await process.end() == -SIGKILL)
            }
            #expect(await (try ChildProcess(program)).end() == 0)

            #expect(folder.names == ["file.bin"])
            #expect(try Data(contentsOf: folder["file.bin"]) == source.content)
            // The server sends no piece before the last one is in the file; so one is lost each time, and the byte that is
            // asked for again.
            #expect(source.sent <= source.content.count + Self.kills * (KillingSource.piece + 1))
            #expect(server.requests.dropFirst().contains { $0.first(of: "If-Range") != nil })
        }

        /// Where the build puts programs: beside the test bundle.
        private static var program: String {
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
            let folder = bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
            return folder.appendingPathComponent("DownloadProgram").path
        }
    }

    /// A file on a server that stops somewhere in each of its first responses, and waits for its client to be gone.
    private final class KillingSource: Sendable {
        static let piece = 256 * 1024

        let content: Data
        private let watch: FolderWatch
        /// Where it stops, in order, and who waits for that.
        private let stops: [(place: Int, isReached: OneShot<Void>)]
        private let turn = Locked(0)
        private let total = Locked(0)

        init(size: Int, kills: Int, for folder: DownloadFolder) throws {
            var generator = SeededGenerator(seed: 20)
            content = Data(pages: size / Data.page)
            watch = try FolderWatch(folder)
            // Ends of stretches of any length, the first byte and the last but one among them.
            let ends = (0..<kills - 2).map { _ in Int.random(in: 1..<size, using: &generator) }
            stops = ([1] + ends.sorted() + [size - 1]).map { ($0, OneShot()) }
        }

        /// How many bytes of the file were handed to the system.
        var sent: Int { total.withLock { $0 } }

        /// Waits until the response of this number, counted from 0, has come to its stop.
        func stop(_ number: Int) async { await stops[number].isReached.valueOrCancellation() }

        func reply(to request: LoopbackRequest) -> LoopbackReply {
            let asked = request.first(of: "Range").flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
            let start = asked ?? 0
            let number = turn.withLock { turn in
                defer { turn += 1 }
                return turn
            }
            let length = "\(content.count - start)"
            let range = "bytes \(start)-\(content.count - 1)/\(content.count)"
            let head =
                asked == nil
                ? LoopbackStep.head(200, headers: ["Content-Length": length, "ETag": "\"a\""])
                : .head(206, headers: ["Content-Length": length, "Content-Range": range, "ETag": "\"a\""])
            return [head, .converse { [self] stream in try send(from: start, number, over: stream) }]
        }

        private func send(from start: Int, _ number: Int, over stream: LoopbackStream) throws {
            let stop = number < stops.count ? stops[number] : nil
            let end = stop?.place ?? content.count
            var place = start
            while place < end {
                let next = min(place + Self.piece, end)
                total.withLock { $0 += next - place }
                try stream.write(content[place..<next])
                place = next
                if place < end { try watch.wait(forBytes: place) }
            }
            guard let stop else { return }
            stop.isReached.resolve(())
            _ = try stream.read(upTo: 1)
        }
    }

    /// Waits for files to grow.
    private final class FolderWatch: Sendable {
        struct Failure: Error {}

        private let folder: DownloadFolder
        private let descriptor: Int32

        init(_ folder: DownloadFolder) throws {
            self.folder = folder
            descriptor = inotify_init1(Int32(IN_CLOEXEC))
            guard descriptor >= 0, inotify_add_watch(descriptor, folder.url.path, UInt32(IN_MODIFY | IN_CREATE)) >= 0
            else { throw Failure() }
        }

        deinit { close(descriptor) }

        /// Waits, on the calling thread, until a file in the folder has so many bytes.
        func wait(forBytes count: Int) throws {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while !folder.names.contains(where: { size(of: $0) >= count }) {
                var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&request, 1, 60_000) == 1, read(descriptor, &buffer, buffer.count) > 0 else {
                    throw Failure()
                }
            }
        }

        private func size(of name: String) -> Int {
            let attributes = try? FileManager.default.attributesOfItem(atPath: folder[name].path)
            return (attributes?[.size] as? NSNumber)?.intValue ?? 0
        }
    }
#endif
