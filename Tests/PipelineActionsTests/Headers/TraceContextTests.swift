import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct TraceContextTests {
    static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    static let span = "00f067aa0ba902b7"

    // MARK: The value

    @Test(arguments: [
        ("00-\(trace)-\(span)-01", true), ("00-\(trace)-\(span)-00", false), ("00-\(trace)-\(span)-03", true),
        ("00-\(trace)-\(span)-fe", false),
        // A version to come: more may follow, what is known is read.
        ("cc-\(trace)-\(span)-01", true), ("cc-\(trace)-\(span)-01-what-the-future-brings", true),
    ])
    func `reads what it can`(field: String, isSampled: Bool) {
        let context = TraceContext(in: [.traceparent: field])
        #expect(context == TraceContext(traceID: Self.trace, spanID: Self.span, isSampled: isSampled))
        #expect(context?.traceparent == "00-\(Self.trace)-\(Self.span)-0\(isSampled ? 1 : 0)")
    }

    @Test(arguments: [
        "", "00", "00-\(trace)-\(span)", "00-\(trace)-\(span)-01-more", "00-\(trace)-\(span)-01-",
        "ff-\(trace)-\(span)-01",
        "00-\(trace.uppercased())-\(span)-01", "00-\(trace.dropLast())-\(span)-01", "00-\(trace)0-\(span)-01",
        "00-\(trace)-\(span)-1", "00-\(trace)-\(span)-0g", "0-\(trace)-\(span)-01",
        "00-\(trace)-\(span.dropLast())g-01",
        "00-00000000000000000000000000000000-\(span)-01", "00-\(trace)-0000000000000000-01", "00-\(trace)-\(span)-+1",
        "cc-\(trace)-\(span)-01.what", "00-\(trace)-\(span)-01, 00-\(trace)-\(span)-01",
    ])
    func `refuses what is none, and the state beside it`(field: String) {
        #expect(TraceContext(in: [.traceparent: field, .tracestate: "a=1"]) == nil)
    }

    @Test func `state comes on lines of its own or on one`() {
        var headers: HTTPHeaders = [.traceparent: "00-\(Self.trace)-\(Self.span)-01"]
        headers.append(name: .tracestate, value: "a=1,b=2")
        headers.append(name: .tracestate, value: "")
        headers.append(name: .tracestate, value: "c=3")
        #expect(TraceContext(in: headers)?.state == "a=1,b=2,c=3")
    }

    @Test func `identities are never all zero`() {
        struct Zeros: RandomNumberGenerator { func next() -> UInt64 { 0 } }
        var zeros = Zeros()
        let context = TraceContext(isSampled: true, using: &zeros)
        #expect(TraceContext(in: [.traceparent: context.traceparent]) == context)

        var generator = SeededGenerator(seed: 3)
        for _ in 0..<1000 {
            let context = TraceContext(isSampled: false, using: &generator)
            #expect(TraceContext(in: [.traceparent: context.traceparent]) == context)
        }
    }

    // MARK: The action

    private let monitor = RecordingMonitor()

    private func network(_ action: TraceContextAction, _ server: ScriptedTransport) -> Network {
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        return Network(
            actions: [RetryAction(policy), action],
            transport: server,
            configuration: .init(time: ManualClock(), monitors: [monitor])
        )
    }

    @Test func `one trace for the send, one span for each attempt`() async throws {
        let server = ScriptedTransport([.redirect(to: "/next"), .status(503), .status(200), .status(200)])
        let network = network(TraceContextAction(generator: SeededGenerator(seed: 1)), server)
        let response = try await network.send(NetworkRequest(url: api))
        let contexts = server.requests.compactMap(\.traceContext)

        #expect(contexts.count == 3)
        #expect(Set(contexts.map(\.traceID)).count == 1)
        #expect(Set(contexts.map(\.spanID)).count == 3)
        #expect(contexts.allSatisfy { $0.isSampled })
        #expect(response.request.traceContext == contexts.last)
        #expect(noted == contexts)

        _ = try await network.send(NetworkRequest(url: api))
        #expect(server.requests.last?.traceContext?.traceID != contexts.first?.traceID)
    }

    private var noted: [TraceContext] {
        monitor.events.compactMap { if case .note(_, let note) = $0.kind { note as? TraceContext } else { nil } }
    }

    @Test func `goes on with the trace that the request brings`() async throws {
        let server = ScriptedTransport([.status(503), .status(200)])
        let request = NetworkRequest(
            url: api,
            headers: [.traceparent: "00-\(Self.trace)-\(Self.span)-00", .tracestate: "vendor=x"]
        )
        _ = try await network(TraceContextAction { _ in nil }, server).send(request)

        let contexts = server.requests.compactMap(\.traceContext)
        #expect(contexts.map(\.traceID) == [Self.trace, Self.trace])
        #expect(Set(contexts.map(\.spanID) + [Self.span]).count == 3)
        #expect(contexts.map(\.isSampled) == [false, false])
        #expect(server.requests.map { $0.headers[.tracestate] } == ["vendor=x", "vendor=x"])
    }

    @TaskLocal private static var current: TraceContext?

    @Test func `asks the application for its current trace, in the task of whoever sends`() async throws {
        let server = ScriptedTransport([.status(200), .status(200)])
        let network = network(TraceContextAction(isSampled: false) { _ in Self.current }, server)
        let context = TraceContext(traceID: Self.trace, spanID: Self.span, isSampled: true, state: "vendor=x")
        _ = try await Self.$current.withValue(context) { try await network.send(NetworkRequest(url: api)) }
        _ = try await network.send(NetworkRequest(url: api))

        let contexts = server.requests.compactMap(\.traceContext)
        #expect(contexts[0].traceID == Self.trace && contexts[0].spanID != Self.span)
        #expect(contexts.map(\.isSampled) == [true, false])
        #expect(contexts.map(\.state) == ["vendor=x", nil])
    }

    @Test func `what cannot be read is replaced, with its state`() async throws {
        let server = ScriptedTransport([.status(200)])
        let request = NetworkRequest(url: api, headers: [.traceparent: "nonsense", .tracestate: "vendor=x"])
        _ = try await network(TraceContextAction(), server).send(request)

        #expect(server.requests.first?.traceContext != nil)
        #expect(server.requests.first?.headers.contains(.tracestate) == false)
    }

    @Test func `keeps the rules of actions`() async {
        #expect(await ActionConformance.violations { TraceContextAction() } == [])
    }
}

private let api = URL(string: "https://api.test")!
