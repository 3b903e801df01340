import Dispatch
import Foundation
import Pipeline
import PipelineTesting
import Testing

/// Every face of the network, through the same behaviours.
enum Face: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case send, reply, result, mainActorCallback, queueCallback
    case progress, updates, mainActorProgress, queueProgress

    /// Those that tell how far the bodies get.
    static let withProgress: [Face] = [.progress, .updates, .mainActorProgress, .queueProgress]

    var testDescription: String { rawValue }

    static let queue = DispatchQueue(label: "test.callbacks")

    /// Sends through this face.
    ///
    /// - Parameters:
    ///   - started: Called once the send can be cancelled, with what cancels it.
    ///   - told: Called with how far the bodies get, by the faces that tell.
    func send<R: Request>(
        _ request: R,
        on network: Network,
        started: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in },
        told: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async -> Result<R.Response, NetworkError> {
        let result = OneShot<Result<R.Response, NetworkError>>()
        switch self {
        case .send, .reply, .result, .progress, .updates:
            let task = Task { await self.result(of: request, on: network, told: told) }
            started { task.cancel() }
            return await task.value
        case .mainActorCallback:
            let handle = network.send(request) {
                dispatchPrecondition(condition: .onQueue(.main))
                #expect(result.resolve($0), "a callback was called twice")
            }
            started { handle.cancel() }
        case .queueCallback:
            let handle = network.send(request, on: Self.queue) {
                dispatchPrecondition(condition: .onQueue(Self.queue))
                #expect(result.resolve($0), "a callback was called twice")
            }
            started { handle.cancel() }
        case .mainActorProgress:
            let handle = network.send(request) {
                dispatchPrecondition(condition: .onQueue(.main))
                told($0)
            } completion: {
                dispatchPrecondition(condition: .onQueue(.main))
                #expect(result.resolve($0), "a callback was called twice")
            }
            started { handle.cancel() }
        case .queueProgress:
            let handle = network.send(request, on: Self.queue) {
                dispatchPrecondition(condition: .onQueue(Self.queue))
                told($0)
            } completion: {
                dispatchPrecondition(condition: .onQueue(Self.queue))
                #expect(result.resolve($0), "a callback was called twice")
            }
            started { handle.cancel() }
        }
        return await result.value()
    }

    private func result<R: Request>(
        of request: R,
        on network: Network,
        told: (TransferProgress) -> Void
    ) async -> Result<R.Response, NetworkError> {
        do {
            switch self {
            case .send: return .success(try await network.send(request))
            case .reply: return .success(try await network.reply(to: request).value)
            case .progress: return .success(try await network.value(of: request, onProgress: told))
            case .updates:
                var updates = network.updates(of: request).makeAsyncIterator()
                var value: R.Response?
                while let update = try await updates.next() {
                    #expect(value == nil, "something followed the value")
                    switch update {
                    case .progress(let progress): told(progress)
                    case .finished(let response): value = response
                    }
                }
                return .success(try #require(value))
            default: return await network.result(of: request)
            }
        } catch {
            return .failure(error as? NetworkError ?? NetworkError(.init(rawValue: "test"), "\(error)"))
        }
    }
}
