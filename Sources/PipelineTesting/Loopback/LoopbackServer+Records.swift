extension LoopbackServer {
    /// The requests so far, in the order in which they had arrived whole.
    public var requests: [LoopbackRequest] { core.recorder.requests.elements }

    /// The connections so far, in order of arrival, each as it stands now.
    public var connections: [LoopbackConnection] { core.recorder.connections }

    /// How many connections are open now. Also counted when the server does not record.
    public var openConnections: Int { core.openConnections }

    /// Suspends until one more request has arrived, with all of its body, and returns it.
    ///
    /// Requests are handed out in order, each once; one that arrived before the call is returned at once. Its reply
    /// may not have been sent yet. A request that was answered before its body was read counts when it is answered.
    ///
    /// - Returns: The request. If the task is cancelled or the server stopped, a placeholder whose method is empty, so that a
    ///   test that waits in vain ends and fails.
    public func nextRequest() async -> LoopbackRequest {
        await core.recorder.requests.next() ?? .placeholder
    }

    /// Suspends until one more connection has ended, whoever ended it, and returns it.
    ///
    /// Connections are handed out in the order of their ends, each once. When it returns, the server has closed its side
    /// too. ``LoopbackConnection/wasClosedByClient`` tells whether the client let go:
    ///
    ///     task.cancel()
    ///     #expect(await server.nextClosedConnection().wasClosedByClient)
    ///
    /// - Returns: The connection. If the task is cancelled or the server stopped, a placeholder without an ending.
    public func nextClosedConnection() async -> LoopbackConnection {
        await core.recorder.endings.next() ?? LoopbackConnection(id: 0)
    }
}
