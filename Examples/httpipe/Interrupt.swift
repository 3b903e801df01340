import Dispatch
import Foundation

/// Makes Ctrl-C end the work in good order, so that a half-written file goes and the connection is closed.
enum Interrupt {
    /// Does the work in a task that Ctrl-C cancels.
    ///
    /// The work begins when the signal is heard, so none is missed. A second Ctrl-C ends the program at once: the first
    /// cannot help while a full pipe holds it.
    static func cancelling(_ work: @escaping @Sendable () async -> ExitStatus) async -> ExitStatus {
        let (isHeard, heard) = AsyncStream<Never>.makeStream()
        let task = Task {
            for await _ in isHeard {}
            return await work()
        }
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setRegistrationHandler { heard.finish() }
        source.setEventHandler {
            if task.isCancelled { _exit(ExitStatus.interrupted.rawValue) }
            task.cancel()
        }
        source.resume()
        defer { source.cancel() }
        return await task.value
    }
}
