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

extension Action {
    fileprivate var flattened: [any Action] {
        (self as? ActionGroup)?.actions.flatMap(\.flattened) ?? [self]
    }
}
