/// Times and sizes of one attempt. What a transport does not measure is `nil`.
///
/// Each time counts from the moment the transport was given the request.
public struct AttemptMetrics: Sendable, Hashable {
    /// Until the transport admitted the request.
    public var queued: Duration?
    /// Until the name of the host had an address.
    public var nameLookup: Duration?
    /// Until the connection stood.
    public var connected: Duration?
    /// Until the secure connection stood.
    public var secured: Duration?
    /// Until the first byte of the response.
    public var firstByte: Duration?
    /// Until the end of the response.
    public var total: Duration?
    /// Bytes of the request's body that were sent.
    public var bytesSent: Int?
    /// Bytes of the response's body that arrived, after decompression.
    public var bytesReceived: Int?
    /// Whether the connection had been used before.
    public var isReusedConnection: Bool?
    /// The address and port of the other end.
    public var remoteAddress: String?
    /// The version of TLS, such as `TLSv1.3`.
    public var tlsVersion: String?
    /// The cipher suite.
    public var tlsCipher: String?

    /// Creates metrics that know nothing yet.
    public init() {}
}
