import Foundation

/// Which handler answers which request.
struct LoopbackRoutes: Sendable {
    typealias Handler = @Sendable (LoopbackRequest) -> LoopbackReply
    typealias HeadHandler = @Sendable (LoopbackRequest) -> LoopbackHeadDecision

    private struct Route<Action: Sendable>: Sendable {
        let method: String?
        let pattern: LoopbackPathPattern
        let action: Action
    }

    private var handlers: [Route<(LoopbackReading?, Handler)>] = []
    private var headHandlers: [Route<HeadHandler>] = []

    /// Answers what no route matches.
    var fallback: (reading: LoopbackReading?, handler: Handler) = (
        nil,
        { request in .text("No handler for \(request.method) \(request.path)\n", status: 404) }
    )

    mutating func add(_ method: String?, _ path: String, _ reading: LoopbackReading?, _ handler: @escaping Handler) {
        handlers.append(Route(method: method, pattern: LoopbackPathPattern(path), action: (reading, handler)))
    }

    mutating func addHead(_ method: String?, _ path: String, _ handler: @escaping HeadHandler) {
        headHandlers.append(Route(method: method, pattern: LoopbackPathPattern(path), action: handler))
    }

    /// The handler for a request, with the values for the names in its pattern.
    func handler(
        for request: LoopbackRequest
    ) -> (reading: LoopbackReading?, handler: Handler, parameters: [String: String]) {
        guard let (action, parameters) = Self.match(handlers, request) else {
            return (fallback.reading, fallback.handler, [:])
        }
        return (action.0, action.1, parameters)
    }

    func headHandler(for request: LoopbackRequest) -> (handler: HeadHandler, parameters: [String: String])? {
        Self.match(headHandlers, request)
    }

    /// The latest route that matches.
    private static func match<Action>(
        _ routes: [Route<Action>],
        _ request: LoopbackRequest
    ) -> (Action, [String: String])? {
        guard !routes.isEmpty else { return nil }
        let segments = LoopbackPathPattern.segments(of: request.rawPath)
        for route in routes.reversed() where route.method == nil || route.method == request.method {
            if let parameters = route.pattern.match(segments) { return (route.action, parameters) }
        }
        return nil
    }
}

/// A path with names for the parts that vary: `/users/:id`, `/files/*`.
struct LoopbackPathPattern: Sendable {
    private enum Segment: Sendable {
        case literal(String)
        case parameter(String)
        /// The rest of the path, of any number of segments but none.
        case rest
    }

    private let pattern: [Segment]

    init(_ path: String) {
        precondition(path.hasPrefix("/"), "a path pattern begins with a slash, got \(path)")
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        pattern = parts.enumerated().map { index, part in
            if part == "*" && index == parts.count - 1 { return .rest }
            return part.first == ":" ? .parameter(String(part.dropFirst())) : .literal(String(part))
        }
    }

    /// The decoded segments of a path. Split first, so that an encoded slash stays inside its segment.
    static func segments(of rawPath: String) -> [String] {
        rawPath.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { part in
            let part = String(Substring(part))
            return part.utf8.contains(UInt8(ascii: "%")) ? part.removingPercentEncoding ?? part : part
        }
    }

    /// The values for the pattern's names, or nil if the path is another.
    func match(_ segments: [String]) -> [String: String]? {
        var parameters: [String: String] = [:]
        for (index, expected) in pattern.enumerated() {
            guard index < segments.count else { return nil }
            switch expected {
            case .literal(let text):
                if text != segments[index] { return nil }
            case .parameter(let name):
                parameters[name] = segments[index]
            case .rest:
                parameters["*"] = segments[index...].joined(separator: "/")
                return parameters
            }
        }
        return pattern.count == segments.count ? parameters : nil
    }
}
