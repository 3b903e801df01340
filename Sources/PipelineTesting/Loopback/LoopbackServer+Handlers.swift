extension LoopbackServer {
    /// Answers requests that no handler with a path answers. A later call replaces an earlier one.
    ///
    /// Without it, such requests are answered with 404.
    ///
    /// - Parameters:
    ///   - reading: How bodies of these requests are read. As the server says unless told otherwise.
    ///   - handler: Runs when the request has arrived whole, on the thread of its connection.
    public func handle(
        reading: LoopbackReading? = nil,
        _ handler: @escaping @Sendable (LoopbackRequest) -> LoopbackReply
    ) {
        core.changeRoutes { $0.fallback = (reading, handler) }
    }

    /// Answers requests with this method and path. Where several handlers match, the latest wins.
    ///
    /// - Parameters:
    ///   - method: The method, in exact spelling, or nil for any.
    ///   - path: A pattern such as `/users/:id`. A segment that begins with a colon matches any one segment, a `*` at the end
    ///     matches the rest; handlers find both in ``LoopbackRequest/parameters``. The query takes no part.
    ///   - reading: How bodies of these requests are read. As the server says unless told otherwise.
    ///   - handler: Runs when the request has arrived whole, on the thread of its connection.
    /// - Precondition: `path` begins with a slash.
    public func handle(
        _ method: String?,
        _ path: String,
        reading: LoopbackReading? = nil,
        _ handler: @escaping @Sendable (LoopbackRequest) -> LoopbackReply
    ) {
        core.changeRoutes { $0.add(method, path, reading, handler) }
    }

    /// Answers requests with this method and path by the replies of a list, one after the other. The last one stays.
    ///
    ///     server.handle("GET", "/flaky", inTurn: [.empty(503), [.reset], .json("{}")])
    ///
    /// - Precondition: There is at least one reply, and `path` begins with a slash.
    public func handle(_ method: String?, _ path: String, inTurn replies: [LoopbackReply]) {
        precondition(!replies.isEmpty, "a list of replies needs at least one")
        let turns = LoopbackTurns(replies)
        handle(method, path) { _ in turns.next() }
    }

    /// Decides about requests with this method and path when their head is in and their body is not read yet.
    ///
    ///     server.handleHead("POST", "/upload") { head in
    ///         head.first(of: "Authorization") == nil ? .reply(.empty(401)) : .readBody
    ///     }
    ///
    /// Where several match, the latest wins. A request that is to be read goes on to its handler (``handle(_:_:reading:_:)``).
    ///
    /// - Parameters:
    ///   - method: The method, in exact spelling, or nil for any.
    ///   - path: A pattern, as for handlers.
    ///   - decide: Gets the request without body, on the thread of its connection.
    /// - Precondition: `path` begins with a slash.
    public func handleHead(
        _ method: String?,
        _ path: String,
        _ decide: @escaping @Sendable (LoopbackRequest) -> LoopbackHeadDecision
    ) {
        core.changeRoutes { $0.addHead(method, path, decide) }
    }
}
