import Foundation
public import Pipeline

/// A transport that answers by rules.
///
///     let server = StubTransport([
///         .when(.get, path: "/todos/{id}").respond(.json(["id": 1, "title": "Milk"])),
///         .when(.post, path: "/todos").respond { received in .json(try received.json(), status: 201) },
///     ])
///     let network = Network(baseURL: api, transport: server)
///
/// Of the rules that match, the first answers. A request that none matches fails with an error that lists each rule and why it did
/// not match (``UnmatchedRequest``). So does one that finds its rules used up.
///
/// It can do all that is asked of transports; what it hands on to another transport is as good as that. ``shutdown()`` shuts the
/// transports down that it hands on to.
public final class StubTransport: Transport {
    private struct Entry: Sendable {
        let rule: StubRule
        var uses = 0
    }

    private struct State: Sendable {
        var entries: [Entry]
        var received: [ReceivedRequest] = []
        var isShutDown = false
    }

    private let state: Locked<State>

    /// What the transport claims to be able to do.
    public let capabilities: TransportCapabilities

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - rules: The rules, in the order in which they are tried.
    ///   - capabilities: What it claims to be able to do.
    public init(
        _ rules: [StubRule] = [],
        capabilities: TransportCapabilities = [.backPressure, .streamedRequests, .exactHeaders, .trailers]
    ) {
        state = Locked(State(entries: rules.map { Entry(rule: $0) }))
        self.capabilities = capabilities
    }

    /// Adds a rule behind the others.
    public func add(_ rule: StubRule) {
        state.withLock { $0.entries.append(Entry(rule: rule)) }
    }

    /// The requests so far, those that no rule matched included, in the order in which they were answered.
    public var received: [ReceivedRequest] { state.withLock { $0.received } }

    /// The names of the rules that have matched no request yet.
    public var unusedRules: [String] { state.withLock { $0.entries.filter { $0.uses == 0 }.map(\.rule.name) } }

    public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        try Task.checkCancellation()
        guard !state.withLock({ $0.isShutDown }) else { throw NetworkError(.transportUnavailable, reach: .no) }
        var incoming = IncomingRequest(request)
        let rule = try await rule(for: &incoming)
        if rule.delay > .zero { try await request.context.time.sleep(for: rule.delay, purpose: .stub) }
        switch rule.answer {
        case .response(let makeResponse):
            let body = try await incoming.body()
            let received = record(request, body: body, by: rule)
            return try makeResponse(received).response(to: request)
        case .failure(let error):
            record(request, body: nil, by: rule)
            throw error
        case .transport(let transport):
            record(request, body: nil, by: rule)
            return try await transport.send(incoming.request)
        }
    }

    public func shutdown() async {
        let entries = state.withLock { state in
            state.isShutDown = true
            return state.entries
        }
        for case .transport(let transport) in entries.map(\.rule.answer) { await transport.shutdown() }
    }

    /// The first rule that matches, which counts as used from then on.
    private func rule(for incoming: inout IncomingRequest) async throws -> StubRule {
        let rules = state.withLock { $0.entries.map(\.rule) }
        var candidates: [UnmatchedRequest.Candidate] = []
        for (index, rule) in rules.enumerated() {
            var reasons = rule.pattern.mismatches(incoming.request)
            if reasons.isEmpty, let pattern = rule.pattern.body {
                reasons += [pattern.mismatch(try await incoming.body())].compactMap(\.self)
            }
            if reasons.isEmpty {
                if claim(index) { return rule }
                reasons = ["it has answered \(rule.limit == 1 ? "its one request" : "its \(rule.limit) requests")"]
            }
            candidates.append(UnmatchedRequest.Candidate(name: rule.name, reasons: reasons))
        }
        record(incoming.request, body: nil, by: nil)
        let summary = rules.isEmpty ? "there is no rule" : "no rule matches"
        throw UnmatchedRequest(incoming.request, candidates, summary: summary).error
    }

    private func claim(_ index: Int) -> Bool {
        state.withLock { state in
            guard state.entries[index].uses < state.entries[index].rule.limit else { return false }
            state.entries[index].uses += 1
            return true
        }
    }

    @discardableResult
    private func record(_ request: NetworkRequest, body: Data?, by rule: StubRule?) -> ReceivedRequest {
        let captures = rule?.pattern.path?.captures(in: request.url) ?? [:]
        let received = ReceivedRequest(request: request, body: body, captures: captures, rule: rule?.name)
        state.withLock { $0.received.append(received) }
        return received
    }
}

/// A request on its way in, whose body is read when it is asked for, once.
private struct IncomingRequest {
    /// The request, to hand on. A body that could be read only once is there as the bytes that were read.
    private(set) var request: NetworkRequest
    private var read: Data?

    init(_ request: NetworkRequest) { self.request = request }

    mutating func body() async throws -> Data {
        if let read { return read }
        var data = Data()
        for try await chunk in try request.body.makeChunks() { data.append(chunk) }
        read = data
        if !request.body.isReplayable {
            request.body = .bytes(data, contentType: request.body.contentType ?? "application/octet-stream")
        }
        return data
    }
}
