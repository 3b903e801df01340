import Foundation
import Pipeline

/// The bar of a body that is printed: the library's progress ends with the head of such a response.
struct PrintedProgress {
    /// How often the bar is drawn at most.
    private static let interval: Duration = .milliseconds(100)

    private var bar: ProgressBar
    private var progress: TransferProgress
    private let start = ContinuousClock.now
    private var lastShown: ContinuousClock.Instant?

    /// Creates a bar; `nil` where it could not be seen, or would be drawn into the body.
    ///
    /// - Parameter total: How many bytes there will be, if that is known.
    init?(total: Int?) {
        guard isatty(STDOUT_FILENO) == 0, let bar = ProgressBar() else { return nil }
        self.bar = bar
        progress = TransferProgress(.download, completed: 0, total: total)
    }

    /// Takes a piece of the body that was printed.
    mutating func add(_ bytes: Int) {
        progress.completed += bytes
        let now = ContinuousClock.now
        guard lastShown.map({ now - $0 >= Self.interval }) ?? true else { return }
        lastShown = now
        show(at: now)
    }

    /// Shows how far the body has got in the end.
    mutating func end() {
        show(at: .now)
        bar.end()
    }

    private mutating func show(at now: ContinuousClock.Instant) {
        let seconds = (now - start) / .seconds(1)
        progress.rate = seconds > 0 ? Double(progress.completed) / seconds : nil
        bar.show(progress)
    }
}
