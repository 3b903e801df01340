public import Foundation

/// Where requests are sent from: a base URL, a list of actions, and a transport.
///
///     let network = Network(baseURL: api, actions: [LoggingAction(), BearerTokenAction(tokens)])
///     let users = try await network.send(ListUsers())
///
/// There is one engine behind many faces: ``send(_:priority:)`` for the value, ``reply(to:priority:)`` for the value with all
/// about it, ``result(of:priority:)`` for a `Result`, ``send(_:priority:completion:)`` for code that lives on callbacks.
///
/// A network can be made in passing or kept for the life of the program. It can be used from any thread. Sends that are
/// under way go on when it is released.
public final class Network: Sendable {
    private let state: Locked<NetworkCore>
    let parent: SendContext?

    /// Creates a network.
    ///
    /// - Parameters:
    ///   - baseURL: What requests build on. Without one, only requests that bring their own URL can be sent.
    ///   - actions: The actions, outermost first.
    ///   - transport: What moves the bytes. The platform's best, shared by all networks that name none, unless told
    ///     otherwise.
    ///   - configuration: What holds for all sends unless a request says otherwise.
    public convenience init(
        baseURL: URL? = nil,
        actions: [any Action] = [],
        transport: (any Transport)? = nil,
        configuration: NetworkConfiguration = NetworkConfiguration()
    ) {
        self.init(computedBaseURL: { baseURL }, actions: actions, transport: transport, configuration: configuration)
    }

    /// Creates a network whose base URL is asked for at each send.
    ///
    /// - Parameters:
    ///   - computedBaseURL: Gives the base URL. What it throws ends the send as the cause of an `invalid-request` error.
    ///   - actions: The actions, outermost first.
    ///   - transport: What moves the bytes; the platform's best unless told otherwise.
    ///   - configuration: What holds for all sends unless a request says otherwise.
    public convenience init(
        computedBaseURL: @escaping @Sendable () throws -> URL?,
        actions: [any Action] = [],
        transport: (any Transport)? = nil,
        configuration: NetworkConfiguration = NetworkConfiguration()
    ) {
        let core = NetworkCore(
            baseURL: computedBaseURL,
            actions: ActionList(actions),
            transport: transport ?? DefaultTransport.shared,
            configuration: configuration,
            registry: SendRegistry()
        )
        self.init(core: core, parent: nil)
    }

    init(core: NetworkCore, parent: SendContext?) {
        state = Locked(core)
        self.parent = parent
    }

    var core: NetworkCore { state.withLock { $0 } }

    // MARK: Actions

    /// The actions, outermost first.
    public var actions: [any Action] { core.actions.actions }

    /// Adds an action, innermost in its zone. Sends that are under way are not affected.
    public func add(_ action: any Action) {
        state.withLock { $0 = $0.with(actions: $0.actions.actions + [action]) }
    }

    /// A network with further actions, innermost in their zones, that shares everything else with this one.
    ///
    /// The derived network keeps the list as it is now; ``cancelAll()`` and ``inFlight`` are common to both.
    public func adding(_ actions: any Action...) -> Network {
        let core = core
        return Network(core: core.with(actions: core.actions.actions + actions), parent: parent)
    }

    /// A network without the actions of a type that shares everything else with this one.
    public func removing(_ type: (some Action).Type) -> Network {
        removing(where: { Swift.type(of: $0) == type })
    }

    /// A network without some of the actions that shares everything else with this one.
    ///
    /// - Parameter isRemoved: Picks the actions to leave out.
    public func removing(where isRemoved: (any Action) -> Bool) -> Network {
        Network(core: core.removing(where: isRemoved), parent: parent)
    }

    // MARK: What is under way

    /// The sends that are under way, in the order they began. A send whose body was left a stream is under way until the
    /// stream ends.
    public var inFlight: [InFlightSend] {
        core.registry.all.map(\.snapshot).sorted { $0.age > $1.age }
    }

    /// Cancels all sends that are under way, and ends each ``WebSocket``, also one that waits to be opened anew.
    public func cancelAll() {
        core.registry.cancel { _ in true }
    }

    /// Cancels a send. Nothing happens if it has ended.
    public func cancel(_ id: SendID) {
        core.registry[id]?.stop(NetworkError(.cancelled))
    }

    /// Cancels all sends whose request has this tag, and ends each ``WebSocket`` whose request has it, also one that waits to be
    /// opened anew.
    public func cancel(tag: String) {
        core.registry.cancel { $0 == tag }
    }

    // MARK: Starting a send

    /// Starts a send in a task of its own.
    func start<R: Request>(_ request: R, priority: TaskPriority?) -> StartedSend<R> {
        let core = core
        let running = RunningSend(core: core)
        let reader = ResponseReader(request)
        let task = Task(priority: priority) { [parent] in
            await running.run(reader, priority: priority, parent: parent)
        }
        running.adopt(task)
        return StartedSend(running: running, task: task, reader: reader)
    }
}

/// A send that has begun.
struct StartedSend<R: Request>: Sendable {
    let running: RunningSend
    fileprivate let task: Task<Outcome, Never>
    fileprivate let reader: ResponseReader<R>

    /// Waits for the response. If the waiting task is cancelled, the send is.
    func response() async throws(NetworkError) -> NetworkResponse {
        try await running.outcome(of: task).get()
    }

    /// The value that was read out of the response, once.
    func takeValue() -> R.Response { reader.takeValue() }

    /// Waits for the end, whatever came of it. Cancelling the waiting task changes nothing.
    func end() async { _ = await task.value }

    /// Waits for the end. Cancelling the waiting task changes nothing.
    func value() async throws(NetworkError) -> R.Response {
        _ = try await task.value.get()
        return takeValue()
    }
}

extension RunningSend {
    /// Waits for the end of the send's task. If the waiting task is cancelled, the send is.
    fileprivate func outcome(of task: Task<Outcome, Never>) async -> Outcome {
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            stop(NetworkError(.cancelled))
        }
    }
}
