/// The actions of a network or a request, sorted once into zones and phases. It never changes.
final class ActionList: Sendable {
    /// The actions as they were registered.
    let actions: [any Action]
    let sendZone: [Visit]
    let hopZone: [Visit]
    /// Actions that want to hear of the sends they take part in.
    let monitors: [any EventMonitor]
    let propertyKeys: [any CustomPropertyKey.Type]

    init(_ actions: [any Action]) {
        let single = actions.flatMap(\.flattened)
        self.actions = actions
        sendZone = single.filter { $0.zone == .send }.map { Visit($0) }
        hopZone = single.filter { $0.zone == .hop }.map { Visit($0) }
        monitors = single.compactMap { $0 as? any EventMonitor }
        propertyKeys = single.flatMap(\.customPropertyKeys)
    }

    static let empty = ActionList([])

    /// All stops on the way in, in order: send zone, redirects, hop zone; in each zone the request's own come last.
    func itinerary(own: ActionList) -> Itinerary {
        Itinerary(sendZone + own.sendZone + [.redirects] + hopZone + own.hopZone)
    }
}

/// The stops of a send, and who hears of its attempts. It never changes.
final class Itinerary: Sendable {
    /// All stops, in the order in which the way in visits them.
    let stops: [Visit]
    /// Those that hear when an attempt begins, in the same order.
    let began: [any RequestBeganAction]
    /// Those that hear when the head of a response is in.
    let responseBegan: [any ResponseBeganAction]
    /// How many hear of the outcome.
    let completedCount: Int

    init(_ stops: [Visit]) {
        self.stops = stops
        began = stops.compactMap(\.began)
        responseBegan = stops.compactMap(\.responseBegan)
        completedCount = stops.count { $0.completed != nil }
    }
}

/// An action's place in the chain, with the phases it takes part in.
final class Visit: Sendable {
    let name: String
    let willBegin: (any RequestWillBeginAction)?
    let began: (any RequestBeganAction)?
    let responseBegan: (any ResponseBeganAction)?
    let completed: (any ResponseCompletedAction)?

    init(_ action: any Action) {
        name = action.typeName
        willBegin = action as? any RequestWillBeginAction
        began = action as? any RequestBeganAction
        responseBegan = action as? any ResponseBeganAction
        completed = action as? any ResponseCompletedAction
    }

    /// The stop between the zones. A retry that is asked for here begins the next hop.
    static let redirects = Visit(RedirectAction())
}

extension Action {
    fileprivate var flattened: [any Action] {
        (self as? ActionGroup)?.actions.flatMap(\.flattened) ?? [self]
    }
}
