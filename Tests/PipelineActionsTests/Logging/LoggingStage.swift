import Foundation
import Pipeline
import PipelineActions
import PipelineTesting

/// A log in lines, and networks that write it.
struct LoggingStage {
    let log = EventLog()
    let clock = ManualClock()
    let logging: LoggingAction

    init() {
        logging = LoggingAction { [log] in log.append($0) }
    }
}

/// A suite about what a ``LoggingAction`` writes.
protocol LoggingSuite {
    var stage: LoggingStage { get }
}

extension LoggingSuite {
    var clock: ManualClock { stage.clock }

    var logging: LoggingAction { stage.logging }

    func network(_ transport: any Transport, _ others: any Action...) -> Network {
        Network(
            baseURL: URL(string: "https://api.test")!,
            actions: [logging] + others,
            transport: transport,
            configuration: .init(time: clock)
        )
    }

    func action(_ level: LoggingAction.Level, zone: ActionZone = .send, bodyLimit: Int = 16_384) -> LoggingAction {
        let sink = ClosureSink(format: LineFormat.plain) { [log = stage.log] in log.append($0) }
        return LoggingAction(level, logger: Logger(sinks: [sink]), zone: zone, bodyLimit: bodyLimit)
    }

    /// The lines that an action has written, with the number of the send taken out.
    func lines(of action: LoggingAction? = nil) async -> [String] {
        await (action ?? logging).logger.flush()
        return stage.log.lines.map { entry in
            entry.replacing(/^(\S+) \d+(\.\d+)?/) { "\($0.output.1)\($0.output.2 ?? "")" }
        }
    }
}

/// A list of numbers, with a secret in its query.
struct AskForNumbers: Request {
    typealias Response = [Int]

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining("numbers").appending(query: ["page": 2, "key": "zq9"]))
    }
}
