public import Foundation
public import Pipeline
public import PipelineActions

/// A transport that answers from a ``Cassette``.
///
///     let player = try ReplayTransport(contentsOf: file)
///     let network = Network(baseURL: api, transport: player)
///     …
///     try player.verify()
///
/// A request that is not on the cassette, or not its turn, fails with an ``UnmatchedRequest`` that names the nearest ones and what is
/// different. Nothing is ever sent.
public final class ReplayTransport: Transport {
    private struct State: Sendable {
        /// How often each exchange was played.
        var plays: [Int]
        var isShutDown = false
    }

    private let exchanges: [Cassette.Exchange]
    private let matching: CassetteMatching
    private let scribe: CassetteScribe
    private let state: Locked<State>

    public let capabilities: TransportCapabilities = [.backPressure, .streamedRequests, .exactHeaders]

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - cassette: What to play.
    ///   - matching: What makes a request the recorded one; in the order of the recording unless told otherwise.
    ///   - redaction: What was left out when it was recorded; the usual secrets unless told otherwise.
    ///   - bodyLimit: The largest body that was kept, in bytes; 1 MB unless told otherwise.
    public init(
        _ cassette: Cassette,
        matching: CassetteMatching = .strict,
        redaction: RedactionPolicy = .standard,
        bodyLimit: Int = 1_000_000
    ) {
        exchanges = cassette.exchanges
        self.matching = matching
        scribe = CassetteScribe(redaction: redaction, bodyLimit: bodyLimit)
        state = Locked(State(plays: Array(repeating: 0, count: cassette.exchanges.count)))
    }

    /// Creates a transport that plays the cassette in a file.
    ///
    /// - Throws: ``/Pipeline/NetworkError`` `file-failed` if there is none.
    public convenience init(
        contentsOf file: URL,
        matching: CassetteMatching = .strict,
        redaction: RedactionPolicy = .standard
    ) throws(NetworkError) {
        self.init(try Cassette(contentsOf: file), matching: matching, redaction: redaction)
    }

    /// Makes sure that all of the cassette was played.
    ///
    /// - Throws: ``CassetteLeftover`` that lists what was not.
    public func verify() throws(CassetteLeftover) {
        let plays = state.withLock { $0.plays }
        let left = zip(exchanges, plays).filter { $0.1 == 0 }.map { $0.0.request.name }
        guard left.isEmpty else { throw CassetteLeftover(requests: left) }
    }

    public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        try Task.checkCancellation()
        guard !state.withLock({ $0.isShutDown }) else { throw NetworkError(.transportUnavailable, reach: .no) }
        let recorded = scribe.record(request)
        let reasons = exchanges.map { matching.mismatches(recorded, $0.request) }
        let place = state.withLock { state -> Int? in
            let place = matching.order == .strict ? Self.turn(state, reasons) : Self.choice(state, reasons)
            if let place { state.plays[place] += 1 }
            return place
        }
        guard let place else { throw unmatched(request, reasons).error }
        return try exchanges[place].response(to: request)
    }

    public func shutdown() async {
        state.withLock { $0.isShutDown = true }
    }

    /// The exchange whose turn it is, if it matches.
    private static func turn(_ state: State, _ reasons: [[String]]) -> Int? {
        guard let next = state.plays.firstIndex(of: 0), reasons[next].isEmpty else { return nil }
        return next
    }

    /// The first that matches and was not played, or else the last that matches.
    private static func choice(_ state: State, _ reasons: [[String]]) -> Int? {
        let matches = reasons.indices.filter { reasons[$0].isEmpty }
        return matches.first { state.plays[$0] == 0 } ?? matches.last
    }

    /// How many candidates an error names: enough to see a slip, and few enough to read.
    private static let shownCandidates = 3

    private func unmatched(_ request: NetworkRequest, _ reasons: [[String]]) -> UnmatchedRequest {
        let plays = state.withLock { $0.plays }
        let next = matching.order == .strict ? plays.firstIndex(of: 0) : nil
        func candidate(_ index: Int) -> UnmatchedRequest.Candidate {
            var all = reasons[index]
            if matching.order == .strict, index != next {
                all.append(plays[index] > 0 ? "it was played" : "it is not its turn")
            }
            return UnmatchedRequest.Candidate(
                name: "\(exchanges[index].request.name), number \(index + 1)",
                reasons: all
            )
        }
        let nearest = exchanges.indices.filter { $0 != next }.sorted { reasons[$0].count < reasons[$1].count }
        let shown = ([next].compactMap(\.self) + nearest).prefix(Self.shownCandidates)
        let summary =
            switch (exchanges.isEmpty, matching.order, next) {
            case (true, _, _): "the cassette is empty"
            case (_, .strict, let next?):
                "it is not number \(next + 1) of \(exchanges.count) on the cassette, whose turn it is"
            case (_, .strict, nil): "the cassette is at its end"
            case (_, .lenient, _): "it is not on the cassette, which has \(exchanges.count)"
            }
        return UnmatchedRequest(request, shown.map(candidate), summary: summary)
    }
}

/// That not all of a ``Cassette`` was played.
public struct CassetteLeftover: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// The requests that did not come: method and URL, without query.
    public let requests: [String]

    /// One line with all of them.
    public var description: String { "not sent, but on the cassette: \(requests.joined(separator: ", "))" }

    public var errorDescription: String? { description }
}
