import Pipeline
import Testing

/// The transports that a behaviour over sockets is checked against.
enum SocketTransport: CaseIterable, Sendable, CustomTestStringConvertible {
    /// That of networks that name none.
    case standard
    case urlSession

    var testDescription: String { "\(self)" }

    /// `nil` for the standard one.
    func make() -> (any Transport)? { self == .standard ? nil : URLSessionTransport() }
}
