/// How far the bodies of an attempt have got. None of its counts ever falls within the attempt.
public struct AttemptProgress: Sendable, Hashable {
    /// Bytes of the request's body that were handed to the connection.
    public var bytesSent: Int
    /// How many there are in all, if that is known.
    public var bytesToSend: Int?
    /// Bytes of the response's body that arrived, after decompression.
    public var bytesReceived: Int
    /// How many will arrive, if that is known. What is announced for a compressed body says nothing of its size.
    public var bytesToReceive: Int?

    /// Creates a value.
    public init(bytesSent: Int, bytesToSend: Int? = nil, bytesReceived: Int, bytesToReceive: Int? = nil) {
        self.bytesSent = bytesSent
        self.bytesToSend = bytesToSend
        self.bytesReceived = bytesReceived
        self.bytesToReceive = bytesToReceive
    }
}
