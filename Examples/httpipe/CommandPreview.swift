import Pipeline
import PipelineActions

/// Prints the request as a line for curl, as the actions have made it, and sends nothing.
///
/// Its secrets are left out: the line is made to be shown around.
struct CommandPreview: Sendable {
    let options: Options

    func run() async -> ExitStatus {
        do {
            let network = Network(actions: try options.actions.actions(for: options.url), transport: Nowhere())
            var request = options.request(.stream)
            request.acceptableStatuses = .all  // Whatever the user takes: nothing comes.
            let response =
                if let file = options.body.upload {
                    try await network.send(Upload(request, from: file))
                } else {
                    try await network.send(request)
                }
            try Output.standardOutput.write("\(CURLCommand(response.request))\n")
            return .acceptable
        } catch let error as NetworkError {
            return Console.report("\(error.code): \(error.message)", .init(error))
        } catch let error as UsageError {
            return Console.report("usage: \(error); see httpipe --help", .usage)
        } catch {
            return Console.report("output-failed: \(error)", .other)
        }
    }

    /// Where requests end that are only looked at.
    private struct Nowhere: Transport {
        // Whatever a request asks for, nothing of it is left out here, since nothing is done.
        var capabilities: TransportCapabilities { [.pinning, .backPressure, .streamedRequests, .exactHeaders] }

        func send(_ request: NetworkRequest) async throws -> NetworkResponse {
            NetworkResponse(status: .noContent, request: request)
        }

        func shutdown() async {}
    }
}
