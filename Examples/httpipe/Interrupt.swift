import Dispatch
import Foundation

/// Makes Ctrl-C end a task in good order, so that a half-written file goes and the connection is closed.
///
/// A second Ctrl-C ends the program at once: the first cannot help while a full pipe holds it.
struct Interrupt {
    private let source: any DispatchSourceSignal

    init(cancelling task: Task<ExitStatus, Never>) {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler {
            if task.isCancelled { _exit(ExitStatus.interrupted.rawValue) }
            task.cancel()
        }
        source.resume()
    }
}
