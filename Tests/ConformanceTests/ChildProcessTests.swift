#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(3)))
    struct ChildProcessTests {
        @Test func `a program inherits nothing but what it is given`() async throws {
            let pipe = Pipe()
            let process = try ChildProcess(["ls", "/proc/self/fd"], output: pipe.fileHandleForWriting)
            try pipe.fileHandleForWriting.close()

            let listing = String(decoding: await pipe.fileHandleForReading.allBytes(), as: UTF8.self)

            // The last is what it reads the listing from.
            #expect(listing.split(separator: "\n") == ["0", "1", "2", "3"])
            #expect(await process.end() == 0)
        }

        @Test func `tells the status, the signal, and a program that is not there`() async throws {
            #expect(try await ChildProcess(["sh", "-c", "exit 7"]).end() == 7)
            #expect(try await ChildProcess(["sh", "-c", "kill -9 $$"]).end() == -9)
            #expect(throws: ChildProcess.Failure.self) { try ChildProcess(["no-such-program"]) }
        }
    }
#endif
