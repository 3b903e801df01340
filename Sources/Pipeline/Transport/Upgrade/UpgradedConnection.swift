public import Foundation

/// A connection that has left HTTP for another protocol, after a response with status 101 (RFC 9110, section 7.8).
///
/// A transport that can do so (``TransportCapabilities/upgrades``) answers a request that asks for a protocol
/// (``NetworkRequest/upgrade``) with such a connection as the source of the response's ``BodyStream``. What the server sends is
/// read like any body; what goes to the server is written here. ``BodySource/cancel()`` closes the connection.
public protocol UpgradedConnection: BodySource {
    /// Takes bytes to send, behind all that came before. It returns at once and calls nobody back; callers hold locks. Bytes
    /// that come after the end of the connection are dropped.
    func write(_ bytes: Data)

    /// How many of the bytes written have not been handed to the system. It waits for nothing; callers hold locks.
    var unsent: Int { get }

    /// Waits until no more than so many of the bytes written wait to be handed to the system.
    ///
    /// - Parameter count: How many may still wait; 0 until all have been handed over.
    /// - Throws: ``NetworkError``: what ended the connection; `cancelled` if the task was cancelled, which ends only the waiting.
    func drain(to count: Int) async throws
}
