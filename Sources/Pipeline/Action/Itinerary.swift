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
