public import Foundation

/// A real HTTP/1.1 server on the loopback address, for tests: scriptable to the byte, and a witness of what clients do.
///
/// Use it where the bytes on the connection matter, or where a client with sockets of its own is under test. Tests of code
/// above the transport are quicker to write against a transport double.
///
///     let server = try LoopbackServer()
///     server.handle("GET", "/users/:id") { request in
///         .json(#"{"id": "\#(request.parameters["id"]!)"}"#)
///     }
///     async let user = client.get(server.url("/users/7"))
///     let request = await server.nextRequest()
///     #expect(request.first(of: "Accept") == "application/json")
///
/// It speaks HTTP/1.1 by the letter of RFC 9112, keeps connections open, and answers requests that break its rules with 400
/// and a reason. Everything a server can do wrong can be scripted with ``LoopbackReply`` and ``LoopbackStep``. There is no
/// TLS.
///
/// Each connection has a thread, on which its handlers run; so handlers may block, but must return in the end, since ``stop()``
/// waits for them. Requests of different connections run at the same time. Where a handler needs the server itself, capture
/// it weakly.
///
/// A server that is no longer referenced stops by itself, and leaves no thread and no descriptor behind.
public final class LoopbackServer: Sendable {
    /// A loopback address.
    public enum Address: Sendable {
        /// 127.0.0.1
        case ipv4
        /// ::1
        case ipv6
    }

    /// The port the server listens on.
    public let port: Int

    /// The root of the server without a path: `http://127.0.0.1:50123` or `http://[::1]:50123`.
    public let url: URL

    let core: LoopbackCore
    /// Connections of our own that fill the queue of a server that does not accept.
    private let backlog: LoopbackBacklog?

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - address: Where it listens: on 127.0.0.1 unless told otherwise.
    ///   - port: The port; one that is free unless told otherwise. Give the port of a stopped server to bring it back.
    ///   - reading: How bodies are read where neither a handler nor a head handler says so.
    ///   - records: False to remember nothing of requests and connections. For benchmarks: ``requests`` and ``connections``
    ///     stay empty, and nothing ever comes out of ``nextRequest()`` and ``nextClosedConnection()``.
    ///   - accepts: False to listen and never accept, with a queue that is already full. Attempts to connect are neither
    ///     granted nor refused, so that a client's connect time limit has to end them.
    /// - Throws: ``LoopbackError`` if the system has no port, address or thread to give.
    public init(
        address: Address = .ipv4,
        port: Int = 0,
        reading: LoopbackReading = .unlimited,
        records: Bool = true,
        accepts: Bool = true
    ) throws {
        LoopbackDescriptorLimit.raised
        let listener = try LoopbackListener(address, port: port)
        self.port = listener.port
        url = URL(string: "http://\(address == .ipv4 ? "127.0.0.1" : "[::1]"):\(listener.port)")!
        core = LoopbackCore(listener, reading: reading, records: records)
        try listener.listen(backlog: accepts ? 1024 : 0)
        backlog = accepts ? nil : try LoopbackBacklog(filling: address, port: listener.port)
        if accepts { try core.start(listener) }
    }

    deinit {
        stop()
    }

    /// The URL with this request target: `server.url("/users?page=2")`.
    ///
    /// - Precondition: The target is a valid URL reference.
    public func url(_ target: String) -> URL {
        guard let url = URL(string: url.absoluteString + target) else {
            preconditionFailure("not a valid request target: \(target)")
        }
        return url
    }

    /// Closes the listener and every connection, and waits for the server's threads to end.
    ///
    /// Afterwards connections to the port are refused, and the records can still be read. Those who wait for a request or a
    /// closed connection get a placeholder. A second call does nothing. Call it from outside: a handler that calls it does not
    /// wait for itself.
    public func stop() {
        core.stop()
        backlog?.close()
    }

    /// A port at which nobody listens, so that connections to it are refused.
    ///
    /// It is held back for the life of the process, by one descriptor for each address, so that no other program gets it in the
    /// meantime. Every call returns the same port.
    public static func unusedPort(_ address: Address = .ipv4) -> Int {
        switch address {
        case .ipv4: unusedIPv4.port
        case .ipv6: unusedIPv6.port
        }
    }

    private static let unusedIPv4 = reservePort(.ipv4)
    private static let unusedIPv6 = reservePort(.ipv6)

    private static func reservePort(_ address: Address) -> LoopbackListener {
        do {
            return try LoopbackListener(address, port: 0)
        } catch {
            preconditionFailure("no port could be reserved: \(error)")
        }
    }
}
