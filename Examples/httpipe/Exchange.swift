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
        let (status, complaint) = await run(over: network(logging: logger))
        // The log has a queue of its own, and the line of an error comes after all others.
        await logger.flush()
        return complaint.map { Console.report($0, status) } ?? status
    }

    private func network(logging logger: Logger) -> Network {
        let monitor: any EventMonitor =
            options.logsJSON
            ? LoggingAction(options.log.ofLibrary, logger: logger)
            : LogMonitor(level: options.log, start: SystemTime.shared.now, write: Console.log)
        var configuration = NetworkConfiguration(time: SystemTime.shared, monitors: [monitor])
        configuration.maximumRetries = options.actions.maximumRetries
        return Network(actions: actions, transport: transport, configuration: configuration)
    }

    private func run(over network: Network) async -> (ExitStatus, complaint: String?) {
        do {
            if options.result.form == .events {
                try await printEvents(from: network)
                return (.acceptable, nil)
            }
            let (delivery, output) = try destination()
            let response = try await receive(options.request(delivery), over: network)
            do {
                if options.showsHead { try Output.standardOutput.write(response.head) }
                try await print(response, to: output)
            } catch Output.Failure.readerLeft {
                // Whoever reads has seen enough: the rest of the body is not fetched, and the answer counts as it stands.
            }
            if options.result.showsMetrics { Console.log(MetricsReport(of: response).description) }
            return report(response.status)
        } catch let error as NetworkError {
            if error.code == .unacceptableStatus, let response = error.response { return report(response.status) }
            return (.init(error), "\(error.code): \(error.message)")
        } catch {
            return (.other, "output-failed: \(error)")
        }
    }

    /// Where the body goes: to a file that appears when it is whole, or to something that is written into.
    private func destination() throws -> (BodyDelivery, Output) {
        guard let path = options.result.file, path != "-" else { return (.stream, .standardOutput) }
        if Output.mustBeWrittenInto(path) { return (.stream, try Output(opening: path)) }
        return (.file(URL(fileURLWithPath: path)), .standardOutput)
    }

    /// Sends the request and takes the answer whatever its status.
    private func receive(
        _ request: NetworkRequest,
        over network: Network
    ) async throws(NetworkError) -> NetworkResponse {
        do {
            guard let file = options.body.upload else { return try await receive(asking: request, over: network) }
            return try await receive(asking: Upload(request, from: file), over: network)
        } catch {
            guard error.code == .unacceptableStatus, let response = error.response else { throw error }
            return response
        }
    }

    private func receive(
        asking request: some Request<NetworkResponse>,
        over network: Network
    ) async throws(NetworkError) -> NetworkResponse {
        guard let path = options.result.download else { return try await value(of: request, over: network) }
        let target = URL(fileURLWithPath: path)
        let download = Download(request, to: target, resuming: options.result.isResumed)
        let file = try await value(of: download, over: network)
        Console.log("\(file.url.path)\n")
        return file.response
    }

    private func value<R: Request>(of request: R, over network: Network) async throws(NetworkError) -> R.Response {
        guard options.result.showsProgress, var bar = ProgressBar() else { return try await network.send(request) }
        defer { bar.end() }
        return try await network.value(of: request) { progress in
            // The bar of a body that is printed is drawn by who prints it.
            if progress.direction == .upload || options.result.isKept { bar.show(progress) }
        }
    }

    /// Prints a body while it arrives. One that went to a file is where it belongs.
    private func print(_ response: NetworkResponse, to output: Output) async throws {
        guard response.body.file == nil else { return }
        if options.result.form == .lines {
            for try await line in response.lines() { try output.write(line + "\n") }
        } else {
            var progress =
                options.result.showsProgress ? PrintedProgress(total: response.body.stream?.expectedLength) : nil
            defer { progress?.end() }
            for try await chunk in response.body {
                try output.write(chunk)
                progress?.add(chunk.count)
            }
        }
    }

    /// Prints events as they come, each an object of JSON in a line, over as many connections as it takes.
    private func printEvents(from network: Network) async throws {
        let encoder = JSONBodyEncoder { $0.outputFormatting = [.sortedKeys, .withoutEscapingSlashes] }
        do {
            for try await event in network.events(of: options.request(.stream)) {
                let line: JSONValue = [
                    "type": .string(event.type), "data": .string(event.data), "id": .string(event.lastEventID),
                ]
                try Output.standardOutput.write(encoder.encode(line) + Data("\n".utf8))
            }
        } catch Output.Failure.readerLeft {
            // Whoever reads has seen enough.
        }
    }

    private func report(_ status: HTTPStatus) -> (ExitStatus, complaint: String?) {
        let exit = ExitStatus(status, accepting: options.result.accepted)
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
