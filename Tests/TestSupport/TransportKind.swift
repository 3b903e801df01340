package import Pipeline

/// The transports that behaviour over sockets is tested with.
package enum TransportKind: CaseIterable, Sendable {
    /// The one of networks that name none.
    case standard
    case urlSession

    /// What a network is to be made with; `nil` for the standard one.
    package var transport: (any Transport)? { self == .standard ? nil : URLSessionTransport() }
}
