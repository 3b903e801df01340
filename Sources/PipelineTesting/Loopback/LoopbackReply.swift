/// What a ``LoopbackServer`` answers: a list of ``LoopbackStep`` values, played in order.
///
/// Most replies come from a factory and are well-formed HTTP, with the right `Content-Length`:
///
///     server.handle("GET", "/users/:id") { request in
///         .json(#"{"id": "\#(request.parameters["id"]!)"}"#)
///     }
///
/// Where the fault is the point, write the steps or the bytes out:
///
///     server.handle("GET", "/cut") { _ in
///         [.head(200, headers: ["Content-Length": "100"]), .bytes("abc"), .close]
///     }
///     server.handle("GET", "/odd") { _ in
///         .raw("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab").then(.close)
///     }
///
/// A reply built once and returned many times costs nothing to build, which matters in benchmarks.
///
/// After the last step the connection stays open, as HTTP/1.1 has it, unless the request or the reply's head says
/// `Connection: close`, or a step ended it.
public struct LoopbackReply: Sendable, ExpressibleByArrayLiteral, CustomStringConvertible {
    /// What happens, in order.
    public var steps: [LoopbackStep]

    /// A reply of these steps and nothing else. Without any, the server says nothing and reads the next request.
    public init(_ steps: [LoopbackStep]) {
        self.steps = steps
    }

    /// A reply of these steps.
    public init(arrayLiteral elements: LoopbackStep...) {
        self.init(elements)
    }

    /// The steps in short: `head(200), bytes(5), close`.
    public var description: String {
        steps.map(\.description).joined(separator: ", ")
    }

    /// This reply with more steps at its end: `.raw(half).then(.reset)`.
    public func then(_ more: LoopbackStep...) -> LoopbackReply {
        LoopbackReply(steps + more)
    }

    /// This reply with steps before it: `.json("{}").after(.wait(gate))` answers when the gate is open.
    public func after(_ earlier: LoopbackStep...) -> LoopbackReply {
        LoopbackReply(earlier + steps)
    }

    /// This reply with one more header field at the end of its head. A reply without a head, such as a raw one, stays
    /// as it is. A `Content-Length` or `Transfer-Encoding` is added beside the right one, not in its place.
    public func withHeader(_ name: String, _ value: String) -> LoopbackReply {
        var reply = self
        for (index, step) in steps.enumerated() {
            guard case .head(var head) = step.kind else { continue }
            head = LoopbackResponseHead(status: head.status, headers: head.headers + [(name, value)])
            reply.steps[index] = LoopbackStep(kind: .head(head))
            break
        }
        return reply
    }
}
