import Foundation

/// All that a send needs of its network, as it stood when the send began. It never changes.
final class NetworkCore: Sendable {
    typealias BaseURL = @Sendable () throws -> URL?

    let baseURL: BaseURL
    let actions: ActionList
    let transport: any Transport
    /// The transport again, if its attempts need no tasks of their own.
    let directTransport: (any DirectTransport)?
    let configuration: NetworkConfiguration
    let registry: SendRegistry

    /// The stops of a request that has no actions of its own.
    let itinerary: Itinerary
    /// The options of a request that sets none.
    let options: RequestOptions.Box
    /// Who hears of every send.
    let monitors: [any EventMonitor]

    init(
        baseURL: @escaping BaseURL,
        actions: ActionList,
        transport: any Transport,
        configuration: NetworkConfiguration,
        registry: SendRegistry
    ) {
        self.baseURL = baseURL
        self.actions = actions
        self.transport = transport
        directTransport = transport as? any DirectTransport
        self.configuration = configuration
        self.registry = registry
        itinerary = actions.itinerary(own: .empty)
        options = RequestOptions.Box(RequestOptions().filled(from: configuration))
        monitors = configuration.monitors + actions.monitors
    }

    /// The same network with other actions.
    func with(actions: [any Action]) -> NetworkCore {
        NetworkCore(
            baseURL: baseURL,
            actions: ActionList(actions),
            transport: transport,
            configuration: configuration,
            registry: registry
        )
    }

    /// The same network with another transport.
    func with(transport: any Transport) -> NetworkCore {
        NetworkCore(
            baseURL: baseURL,
            actions: actions,
            transport: transport,
            configuration: configuration,
            registry: registry
        )
    }

    /// The same network without the actions that `isRemoved` picks, in groups too.
    func removing(where isRemoved: (any Action) -> Bool) -> NetworkCore {
        func remaining(_ actions: [any Action]) -> [any Action] {
            actions.compactMap { action -> (any Action)? in
                if isRemoved(action) { return nil }
                if let group = action as? ActionGroup { return ActionGroup(remaining(group.actions)) }
                return action
            }
        }
        return with(actions: remaining(actions.actions))
    }
}
