/// Where a request is in its life: not sent, under way, answered, failed.
///
/// It is what a screen shows. ``Network/states(of:priority:)`` gives the states of one send in their order, and a ``Loader``
/// keeps the latest for a view.
public enum LoadState<Value: Sendable>: Sendable {
    /// Nothing has been sent.
    case idle
    /// The send is under way; how far it has got, once that is known.
    case loading(TransferProgress?)
    /// The server has answered, and this is what it said.
    case loaded(Value)
    /// The send has failed, or was cancelled.
    case failed(NetworkError)

    /// The value, if it is there.
    public var value: Value? {
        if case .loaded(let value) = self { value } else { nil }
    }

    /// The error, if the send has failed.
    public var error: NetworkError? {
        if case .failed(let error) = self { error } else { nil }
    }

    /// How far the send has got, while it is under way and that is known.
    public var progress: TransferProgress? {
        if case .loading(let progress) = self { progress } else { nil }
    }

    /// Whether the send is under way.
    public var isLoading: Bool {
        if case .loading = self { true } else { false }
    }

    /// Whether nothing more comes: there is a value or an error.
    public var isOver: Bool {
        switch self {
        case .idle, .loading: false
        case .loaded, .failed: true
        }
    }

    /// The same state of another value.
    ///
    /// - Parameter transform: Makes the other value. What it throws is a `decoding-failed` error with that as its cause, unless
    ///   it is a ``NetworkError``.
    public func map<Other: Sendable>(_ transform: (Value) throws -> Other) -> LoadState<Other> {
        switch self {
        case .idle: return .idle
        case .loading(let progress): return .loading(progress)
        case .failed(let error): return .failed(error)
        case .loaded(let value):
            do { return .loaded(try transform(value)) } catch {
                let failure = error as? NetworkError
                return .failed(failure ?? NetworkError(.decodingFailed, "it is no \(Other.self)", underlying: error))
            }
        }
    }
}
