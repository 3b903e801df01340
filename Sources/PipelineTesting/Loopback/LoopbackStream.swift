public import Foundation

/// The bare connection, in the hands of a ``LoopbackStep/converse(_:)`` step.
///
/// Reading and writing block the connection's own thread. They throw when the connection ends or the server is stopped;
/// let such errors pass.
public final class LoopbackStream {
    private let socket: LoopbackSocket
    private let input: LoopbackInput

    init(_ socket: LoopbackSocket, input: LoopbackInput) {
        self.socket = socket
        self.input = input
    }

    /// Reads what is there, waiting for at least one byte.
    ///
    /// - Parameter limit: The largest number of bytes to return.
    /// - Returns: One byte or more; empty when the client has finished sending.
    /// - Throws: An error that is of no use to you, if the connection was reset or the server stopped.
    public func read(upTo limit: Int) throws -> Data {
        try input.take(upTo: limit) { Data($0) } ?? Data()
    }

    /// Reads this many bytes.
    ///
    /// - Returns: The bytes; fewer only if the client has finished sending.
    /// - Throws: An error that is of no use to you, if the connection was reset or the server stopped.
    public func read(exactly count: Int) throws -> Data {
        var bytes = Data()
        while bytes.count < count {
            let more = try read(upTo: count - bytes.count)
            if more.isEmpty { break }
            bytes.append(more)
        }
        return bytes
    }

    /// Sends all of the bytes, waiting for the client to take them.
    public func write(_ bytes: Data) throws {
        try bytes.withUnsafeBytes { try socket.send($0) }
    }
}
