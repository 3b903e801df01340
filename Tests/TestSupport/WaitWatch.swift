package import Pipeline

/// Tells a test when a send waits for the network.
package final class WaitWatch: EventMonitor {
    private let waits = AsyncStream<Void>.makeStream()

    package init() {}

    package func record(_ event: SendEvent) {
        if case .waitingForNetwork = event.kind { waits.continuation.yield() }
    }

    /// Waits until a send does, each wait once.
    package func untilWaiting() async {
        for await _ in waits.stream { break }
    }
}
