extension Network {
    /// A network with another transport that shares everything else with this one.
    ///
    ///     let recorded = network.replacingTransport { RecordingTransport(around: $0, to: file) }
    ///
    /// The derived network keeps the list of actions as it is now; ``cancelAll()`` and ``inFlight`` are common to both.
    ///
    /// - Parameter replace: Is given the transport of this network, and makes the other one: around it, or in its place.
    public func replacingTransport(_ replace: (any Transport) -> any Transport) -> Network {
        let core = core
        return Network(core: core.with(transport: replace(core.transport)), parent: parent)
    }
}
