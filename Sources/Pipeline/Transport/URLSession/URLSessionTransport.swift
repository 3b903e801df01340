#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends over Foundation's `URLSession`.
///
/// It is the default on Apple platforms. On Linux, where the default is ``CurlTransport``, `URLSession` stands on libcurl, is
/// much slower than that, and hides a good part of what it knows; see below for what that costs.
///
///     let network = Network(baseURL: api, transport: URLSessionTransport())
///
/// **What it leaves alone.** It stores no cookies and no responses, knows no stored credentials and follows no redirects:
/// a redirect, a 401 and a 407 are responses like any other, whatever fields they carry. A configuration of your own can
/// bring a cache; see ``init(configuration:delegate:)``.
///
/// **Time limits.** ``TimeLimits/idle`` is kept exactly. `URLSession` does not tell when a connection stands, so
/// ``TimeLimits/connect`` is kept exactly only for a request with a body, whose first bytes leave when it does. Without a
/// body, the answer has to begin within the longer of the two limits; what strikes then is the idle limit.
///
/// **Bodies.** Bytes are sent as they are and files are read while they are sent. A body stream is first gathered, in
/// memory up to 1 MiB and then in a temporary file, because `URLSession` would frame a stream of known length twice. A file
/// that changes while it is sent is a `file-failed` error that comes only afterwards: if it did not become shorter, the server has
/// by then received as many bytes as were announced, and takes them for whole.
///
/// **Order of fields.** `URLSession` keeps header fields in a dictionary: the fields of a request leave in an order of its
/// own, those of one name joined with a comma, and the fields of a response come sorted by name. `Set-Cookie` fields are
/// taken apart again.
///
/// **Transport security.** Of a ``TLSPolicy`` it can honour the minimum version. Other roots than the system's, a client
/// identity and an insecure host are refused with `option-unsupported`, pins with `pinning-unsupported`.
///
/// **Upgrades.** On Apple platforms a request that asks for another protocol (``NetworkRequest/upgrade``), as a WebSocket does,
/// goes over a connection of the Network framework, which the session and its delegate know nothing of. Of a ``TLSPolicy`` it can
/// honour nothing; what asks for more is refused. On Linux all are refused with `websocket-unsupported`.
///
/// **What it cannot do on Linux**, beyond that:
/// - Hold a transfer while its reader is slow. Suspending a task there closes its connection, and resuming it sends the
///   request again. So what has arrived waits in memory: 300 MB read slowly take 300 MB. Set
///   ``NetworkRequest/maximumResponseSize``, which is enforced while data arrives.
/// - Survive a server that closes the connection in the middle of a response's head, or sends trailers after a chunked body:
///   Foundation stops the process. Nothing outside of it can prevent that, so do not use it there for servers you do not
///   trust.
/// - Cancel the upload of a file without danger: if it is cancelled, by hand or by a time limit, in the moment in which Foundation
///   waits for the disk, that stops the process.
/// - Reuse connections for requests with a body and for methods that are not idempotent. When a reused connection dies
///   before an answer, libcurl sends a request again, and `URLSession` does not give it the body again; a connection of its
///   own for each such request rules that out.
/// - Give the body of a 301 to 308 whose `Location` is missing or empty: it comes out empty.
/// - Set a minimum version of TLS: `option-unsupported`.
/// - Call the delegate for server trust and client certificates: such challenges do not exist there.
/// - Use an IPv6 address as host: `invalid-request`.
/// - Read a response with a header field that is not UTF-8: `protocol-violation`.
public final class URLSessionTransport: Transport {
    private let sessions: SessionPool

    /// Creates a transport.
    ///
    /// The configuration is copied and changed so that the rules of ``Transport`` hold: no cookie storage, no cookies of
    /// its own, no credential storage, and no limit on the time of a request, since the time limits of requests are kept by
    /// the transport. Its `urlCache` counts only if it is one you made: the shared cache, and the private one that
    /// `ephemeral` and `default` come with, are taken out. To have a cache, set your own
    /// (`configuration.urlCache = URLCache(…)`); its answers then look like those of the server.
    ///
    /// - Parameters:
    ///   - configuration: Where to start from, `ephemeral` unless told otherwise.
    ///   - delegate: Answers challenges for server trust and client certificates, on a queue of the transport. Without
    ///     one, and where it does not implement the method, the system decides. If it never answers, the request ends with
    ///     its time limits. Challenges for a user name and a password are never passed on: they end as the 401 or 407
    ///     they came with.
    public init(
        configuration: URLSessionConfiguration = .ephemeral,
        delegate: (any URLSessionTaskDelegate & Sendable)? = nil
    ) {
        sessions = SessionPool(configuration: configuration.keepingNothing(), delegate: delegate)
    }

    deinit { sessions.finish() }

    #if canImport(Darwin)
        /// Back-pressure, and connections that leave HTTP.
        public var capabilities: TransportCapabilities { [.backPressure, .upgrades] }
    #else
        /// Nothing beyond the rules, on Linux.
        public var capabilities: TransportCapabilities { [] }
    #endif

    /// The host of the origin; `nil` where a proxy of the configuration or of the environment may stand in front of it, or a
    /// protocol class of your own may answer.
    public func host(for origin: Origin) -> String? {
        origin.isLoopback || sessions.mayGoElsewhere ? nil : origin.host
    }

    public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        try Task.checkNotCancelled()
        try SessionRequestCheck.check(request)
        #if canImport(Network)
            if let upgrade = request.upgrade { return try await NetworkUpgrade.send(request, upgradingTo: upgrade) }
        #endif
        let upload = try await SessionUpload(request.body)
        let exchange = SessionExchange(request: request, upload: upload)
        try sessions.start(exchange, for: request)
        return try await withTaskCancellationHandler {
            try await exchange.response()
        } onCancel: {
            exchange.fail(NetworkError(.cancelled))
        }
    }

    public func shutdown() async {
        sessions.shutDown()
    }
}

extension Task<Never, Never> {
    fileprivate static func checkNotCancelled() throws(NetworkError) {
        if isCancelled { throw NetworkError(.cancelled, reach: .no) }
    }
}

extension URLSessionTransport: CustomReflectable {
    /// Nothing: the session's configuration can hold credentials, for a proxy or among its header fields.
    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .class) }
}
