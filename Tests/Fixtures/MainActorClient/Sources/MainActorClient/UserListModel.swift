import Foundation
import Pipeline

#if canImport(Combine)
    import Combine
#endif
#if canImport(Security)
    import Security
#endif

/// The model of a screen, in the three ways that models call a network. Main-actor isolated by default.
final class UserListModel {
    private(set) var users: [User] = []
    private(set) var text = ""
    private(set) var message: String?
    private(set) var bytes = 0
    private let network: Network
    private let sends = SendBag()
    var onChange: () -> Void = {}

    #if canImport(Combine)
        private var subscriptions: Set<AnyCancellable> = []
        private var cancellable: (any Cancellable)?
    #endif

    init(network: Network) { self.network = network }

    func load() async {
        do {
            users = try await network.send(ListUsers())
        } catch {
            message = error.description
        }
    }

    func loadText() {
        network.send(GetText()) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let text): self.text = text
            case .failure(let error): message = error.description
            }
            onChange()
        }
        .store(in: sends)
    }

    func loadTelling() async throws {
        text = try await network.value(of: GetText()) { bytes = $0.completed }
        for try await update in network.updates(of: GetText()) {
            switch update {
            case .progress(let progress): bytes += progress.completed
            case .finished(let text): self.text += text
            }
        }
    }

    func loadMissing() async -> Int? {
        do {
            _ = try await network.send(GetMissing())
            return nil
        } catch {
            message = error.serverMessage
            return error.statusCode
        }
    }

    func untilChanged(_ start: () -> Void) async {
        await withCheckedContinuation { continuation in
            onChange = { continuation.resume() }
            start()
        }
    }
}
