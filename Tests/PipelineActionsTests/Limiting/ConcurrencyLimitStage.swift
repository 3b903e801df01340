import Foundation
import Pipeline
import PipelineActions
import PipelineTesting

/// A server that answers when it is told to, and those who stand in line before it.
struct ConcurrencyLimitStage {
    let server = ConversationTransport()
    let notes = NoteWatch()
}

/// A suite about who a ``ConcurrencyLimitAction`` lets through.
protocol ConcurrencyLimitSuite {
    var stage: ConcurrencyLimitStage { get }
}

extension ConcurrencyLimitSuite {
    var server: ConversationTransport { stage.server }

    var notes: NoteWatch { stage.notes }

    func network(_ actions: any Action...) -> Network {
        Network(
            actions: actions,
            transport: server,
            configuration: NetworkConfiguration(time: ManualClock(), monitors: [notes])
        )
    }

    func request(
        _ path: String,
        host: String = "api.test",
        priority: TaskPriority? = nil,
        delivery: BodyDelivery = .gathered
    ) -> NetworkRequest {
        var request = NetworkRequest(url: URL(string: "https://\(host)/\(path)")!, delivery: delivery)
        request.priority = priority
        return request
    }

    /// Begins a send and waits until it stands in line.
    func line(_ request: NetworkRequest, on network: Network) async -> Task<Int, any Error> {
        let task = Task { try await network.send(request).status.code }
        await notes.next(with: "waits for a permit")
        return task
    }
}

/// Asks for one retry of what is not available.
struct RetryingOnce: ResponseCompletedAction {
    var zone: ActionZone { .hop }

    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        let response = try outcome.get()
        return response.status == 503 && request.pass == 1 ? .retry(after: .zero) : .deliver(response)
    }
}
