import Pipeline

/// A search as you type: each keystroke ends the search before.
@MainActor
final class Search {
    private let network: Network
    private var sends = SendBag()

    /// What is on the screen.
    private(set) var shown: [String] = []
    /// How the searches ended, one word each.
    private(set) var ends: [String] = []

    init(_ network: Network) { self.network = network }

    /// - Parameter completion: Called when this search has ended.
    func textDidChange(_ text: String, completion: @escaping @MainActor @Sendable () -> Void) {
        sends = SendBag()  // The bag that is let go of cancels what is in it.
        network.send(FindPeople(text: text)) { [weak self] result in
            self?.take(result)
            completion()
        }
        .store(in: sends)
    }

    private func take(_ result: Result<[String], NetworkError>) {
        switch result {
        case .success(let names):
            shown = names
            ends.append("shown")
        case .failure(let error):
            ends.append(error.code.rawValue)
        }
    }
}
