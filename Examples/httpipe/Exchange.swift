import Foundation
import Pipeline
import PipelineActions

/// One run: sends what the options ask for, prints the answer, and tells how it ended.
struct Exchange: Sendable {
    let options: Options
    let actions: [any Action]
    let transport: any Transport

    /// Sends, prints everything there is to print, and ends with the status for the shell.
    func run() async -> ExitStatus {
        let logger = Logger(sinks: [.standardError(JSONLinesFormat())])
        let (status, complaint) = await run(logging: logger)
        // The log has a queue of its own, and the line of an error comes after all others.
        await logger.flush()
        return complaint.map { Console.report($0, status) } ?? status
    }

    private func run(logging logger: Logger) async -> (ExitStatus, complaint: String?) {
        do {
            let (file, output) = try destination()
            let response = try await receive(options.request(into: file), logging: logger)
            do {
                if options.showsHead { try Output.standardOutput.write(response.head) }
                try await print(response.body, to: output)
            } catch Output.Failure.readerLeft {
                // Whoever reads has seen enough: the rest of the body is not fetched, and the answer counts as it stands.
            }
            if options.showsMetrics { Console.log(MetricsReport(of: response).description) }
            return report(response.status)
        } catch let error as NetworkError {
            return (.init(error), "\(error.code): \(error.message)")
        } catch {
            return (.other, "output-failed: \(error)")
        }
    }

    /// Where the body goes: to a file that appears when it is whole, or to something that is written into.
    private func destination() throws -> (file: URL?, output: Output) {
        guard let path = options.file, path != "-" else { return (nil, .standardOutput) }
        if Output.mustBeWrittenInto(path) { return (nil, try Output(opening: path)) }
        return (URL(fileURLWithPath: path), .standardOutput)
    }

    /// Sends the request and takes the answer whatever its status.
    private func receive(
        _ request: NetworkRequest,
        logging logger: Logger
    ) async throws(NetworkError) -> NetworkResponse {
        let monitor: any EventMonitor =
            options.logsJSON
            ? LoggingAction(options.log.ofLibrary, logger: logger)
            : LogMonitor(level: options.log, start: SystemTime.shared.now, write: Console.log)
        var configuration = NetworkConfiguration(time: SystemTime.shared, monitors: [monitor])
        configuration.maximumRetries = options.actions.maximumRetries
        let network = Network(actions: actions, transport: transport, configuration: configuration)
        do {
            return try await network.send(request)
        } catch {
            guard error.code == .unacceptableStatus, let response = error.response else { throw error }
            return response
        }
    }

    /// Prints a body while it arrives. One that went to a file is where it belongs.
    private func print(_ body: ResponseBody, to output: Output) async throws {
        guard body.file == nil else { return }
        for try await chunk in body { try output.write(chunk) }
    }

    private func report(_ status: HTTPStatus) -> (ExitStatus, complaint: String?) {
        let exit = ExitStatus(status, accepting: options.accepted)
        return (exit, exit == .acceptable ? nil : "\(NetworkError.Code.unacceptableStatus): \(status)")
    }
}

extension LogLevel {
    /// The level by the name it has in the library.
    fileprivate var ofLibrary: LoggingAction.Level {
        switch self {
        case .error: .error
        case .info: .info
        case .verbose: .verbose
        }
    }
}

extension NetworkResponse {
    /// Status line and header fields as they came, secrets included: who asks for them wants to see them.
    fileprivate var head: String {
        let fields = headers.map { "\($0.name.spelling): \($0.value)\n" }
        return "\(statusLine)\n\(fields.joined())\n"
    }
}
