/// Something that takes part in sends: adds a header, logs, retries, answers from a cache.
///
/// **Which protocol do I need?** One for each phase the action takes part in:
///
/// | phase | protocol | can |
/// |---|---|---|
/// | before the request is sent | ``RequestWillBeginAction`` | change it, answer it, fail |
/// | an attempt begins | ``RequestBeganAction`` | take notice |
/// | the head of a response is in | ``ResponseBeganAction`` | take notice |
/// | the response is complete, or the attempt failed | ``ResponseCompletedAction`` | change it, retry, fail |
///
/// Code that lives on completion handlers takes ``RequestWillBeginCallbackAction`` and
/// ``ResponseCompletedCallbackAction`` instead of the first and the last.
///
/// **How do I use one?** `Network(baseURL: api, actions: [LoggingAction(), BearerTokenAction(tokens)])`. Requests pass the
/// actions in that order on the way in and in reverse on the way out.
///
/// **How do I write one?** As a small `Sendable` struct:
///
///     struct APIVersionAction: RequestWillBeginAction {
///         func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
///             var request = request
///             request.headers["API-Version"] = "3"
///             return .proceed(request)
///         }
///     }
///
/// What has to be remembered during a send goes into ``SendContext/store``, never into the action: it serves many sends at
/// once.
///
/// **How do I test one?** Put it on a network over the `ConversationTransport` of `PipelineTesting`, and play the server.
public protocol Action: Sendable {
    /// Where the action stands; the send zone unless it says otherwise.
    var zone: ActionZone { get }

    /// The typed custom properties that the action reads. A request that has a value of another type under one of their
    /// names fails at build.
    var customPropertyKeys: [any CustomPropertyKey.Type] { get }
}

extension Action {
    /// The send zone.
    public var zone: ActionZone { .send }

    /// None.
    public var customPropertyKeys: [any CustomPropertyKey.Type] { [] }

    /// How errors and events name the action.
    var typeName: String { String(describing: type(of: self)) }
}

/// Where an action stands.
public enum ActionZone: Sendable, Hashable {
    /// Around redirects: once per send. For what concerns the send as a whole.
    case send
    /// Inside redirects: once per hop. For what depends on the URL, credentials above all.
    case hop
}

/// Several actions to register as one. Each of them stands in its own zone, in the order given.
public struct ActionGroup: Action {
    /// The actions.
    public let actions: [any Action]

    /// Creates a group.
    public init(_ actions: [any Action]) {
        self.actions = actions
    }
}
