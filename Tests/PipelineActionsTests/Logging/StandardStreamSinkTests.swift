import Foundation
import PipelineActions
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct StandardStreamSinkTests {
    @Test func `writes whole lines, and outlives whoever read them`() async {
        await ExitTestTurn.take {
            await #expect(processExitsWith: .success) {
                let pipe = Pipe()
                dup2(pipe.fileHandleForWriting.fileDescriptor, STDOUT_FILENO)
                dup2(pipe.fileHandleForWriting.fileDescriptor, STDERR_FILENO)
                try pipe.fileHandleForWriting.close()
                signal(SIGPIPE, SIG_DFL)
                let logger = Logger(sinks: [.standardOutput, StandardStreamSink.standardError(JSONLinesFormat())])
                logger.info("first\nline")
                await logger.flush()
                let lines = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self).split(
                    separator: "\n"
                )
                guard lines.count == 2, lines[0] == #"first\nline"#, lines[1].hasPrefix("{\"time\":") else { exit(1) }

                try pipe.fileHandleForReading.close()
                for _ in 0..<3 { logger.info("lost") }
                await logger.flush()
                exit(logger.losses.failed == 6 ? 0 : 2)
            }
        }
    }
}
