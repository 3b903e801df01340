extension NetworkPath {
    /// Whether a host can be reached, as far as routes tell.
    ///
    /// - Parameters:
    ///   - host: A name or an address, as ``Origin/host`` has it.
    ///   - names: What this machine knows of names by itself. It is asked only if there is no way out.
    /// - Returns: `true` if a route leads there or the host is this machine, `false` if surely none does, `nil` if nobody can
    ///   tell without trying.
    func reaches(_ host: String, names: @autoclosure () -> LocalNames) -> Bool? {
        if let address = AddressPrefix(address: host) { return reaches(address) }
        if LocalNames.isLoopback(host) { return true }
        if Self.isNoMatterOfRoutes(host) { return nil }
        switch status {
        case .satisfied: return true
        case .unknown: return nil
        case .unsatisfied:
            // A name may belong to a network that we are part of.
            if routes?.contains(where: { !$0.isHost && !$0.isLoopback && !$0.isLocal }) ?? false { return nil }
            return names().mayKnow(host) ? nil : false
        }
    }

    /// Whether a host is this machine, somebody on one of its links, or nobody at all.
    static func isNoMatterOfRoutes(_ host: String) -> Bool {
        if let address = AddressPrefix(address: host) { return address.isLoopback || address.isLocal }
        return host.contains("%") || LocalNames.isLoopback(host) || LocalNames.isSpecial(host)  // A zone names a link.
    }

    private func reaches(_ address: AddressPrefix) -> Bool? {
        if address.isLoopback { return true }
        if address.isLocal { return nil }
        guard status != .unknown else { return nil }
        if let routes { return routes.contains { $0.covers(address) } }
        if status == .satisfied { return true }
        // Whether it is a neighbour the system does not tell.
        return address.isPrivate ? nil : false
    }
}
