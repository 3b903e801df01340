import Pipeline

/// The routes as one connection sees them.
///
/// Each connection has its own copy, brought up to date when a handler is added. One copy for all would need a lock that
/// every request of every connection has to pass: with 64 busy connections it took a fifth of the server's time.
final class LoopbackRouteCopy: Sendable {
    private let routes: Locked<LoopbackRoutes>

    init(_ routes: LoopbackRoutes) {
        self.routes = Locked(routes)
    }

    var current: LoopbackRoutes { routes.withLock { $0 } }

    /// Puts new routes in place, and returns the old ones, to be released where no lock is held.
    func replace(with new: LoopbackRoutes) -> LoopbackRoutes {
        routes.withLock { routes in
            defer { routes = new }
            return routes
        }
    }
}
