import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import TestSupport
import Testing

/// What a log says of sends that wait for a network.
@Suite(.timeLimit(.minutes(3)))
struct LoggingOfflineTests: LoggingSuite {
    let stage = LoggingStage()

    @Test func `waits for the network`() async throws {
        let action = action(.verbose)
        let source = ManualPathSource(.unsatisfied)
        let watch = WaitWatch()
        var configuration = NetworkConfiguration(time: clock, monitors: [watch])
        configuration.networkMonitor = NetworkMonitor(source: source)
        configuration.offlinePolicy = .wait
        let network = Network(
            actions: [action],
            transport: RoutedTransport(ScriptedTransport([.status(204)])),
            configuration: configuration
        )
        async let response = network.send(NetworkRequest(url: URL(string: "http://198.51.100.1")!))
        await watch.untilWaiting()
        source.report(.satisfied)
        _ = try await response

        let line = "… waits for the network, which is unsatisfied"
        #expect(await lines(of: action).map { String($0.split(separator: "\n")[0]) }.contains(line))
    }
}
