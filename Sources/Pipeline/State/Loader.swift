#if canImport(Combine)
    public import Combine
#endif

/// Keeps the state of a request for a view: sends it, sends it again, cancels it.
///
///     struct UserView: View {
///         @StateObject private var user = Loader<User>(network)
///         let id: Int
///
///         var body: some View {
///             switch user.state {
///             case .idle, .loading: ProgressView(value: user.state.progress?.fraction)
///             case .loaded(let user): Text(user.name)
///             case .failed(let error): Button("Try again") { user.load(GetUser(id: id)) }
///             }
///         }
///     }
///
/// Where Combine exists it is an `ObservableObject`; elsewhere, and in views without SwiftUI, ``onChange`` is called. A load
/// that begins ends the one before, whose state is not told any more. Letting go of the loader cancels what is under way.
@MainActor
public final class Loader<Value: Sendable> {
    private let network: Network
    private let running = Running()

    /// Where the request is in its life.
    public private(set) var state = LoadState<Value>.idle {
        willSet { announce() }
        didSet { onChange?(state) }
    }

    /// Called after each change of the state; nobody unless told otherwise.
    public var onChange: (@MainActor (LoadState<Value>) -> Void)?

    /// Creates a loader that has sent nothing.
    ///
    /// - Parameter network: What sends the requests.
    public init(_ network: Network) { self.network = network }

    /// Sends a request and follows its states. What is under way is cancelled first.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - priority: The priority of the send; the calling task's unless told otherwise.
    public func load<R: Request>(_ request: R, priority: TaskPriority? = nil) where R.Response == Value {
        running.replace(with: nil)
        state = .loading(nil)
        let states = network.states(of: request, priority: priority)
        let task = Task { [weak self] in
            for await state in states {
                if case .idle = state { continue }
                guard !Task.isCancelled, let self else { return }
                self.state = state
            }
        }
        running.replace(with: task)
    }

    /// Cancels what is under way; the state is a `cancelled` error then. Nothing happens if nothing is.
    public func cancel() {
        guard state.isLoading else { return }
        running.replace(with: nil)
        state = .failed(NetworkError(.cancelled))
    }

    /// Forgets the value or the error, and cancels what is under way.
    public func reset() {
        running.replace(with: nil)
        state = .idle
    }

    /// The task that follows a send, which ends when it is replaced or let go of.
    private final class Running: Sendable {
        private let task = Locked<Task<Void, Never>?>(nil)

        deinit { replace(with: nil) }

        func replace(with next: Task<Void, Never>?) {
            let last = task.withLock { task in
                defer { task = next }
                return task
            }
            last?.cancel()
        }
    }
}

#if canImport(Combine)
    extension Loader: ObservableObject {
        private func announce() { objectWillChange.send() }
    }
#else
    extension Loader {
        private func announce() {}
    }
#endif
