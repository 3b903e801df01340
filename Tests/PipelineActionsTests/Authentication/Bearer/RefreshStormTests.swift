import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

#if !canImport(Glibc) && canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How often each storm is played: three times, or as `AUTH_ROUNDS` says.
private let rounds = ProcessInfo.processInfo.environment["AUTH_ROUNDS"].flatMap { Int($0) } ?? 3

/// Minutes, and plenty for a few rounds, also under a sanitizer.
private let patience = rounds > 10 ? 60 : 3

/// B01, B02 and what else can befall a hundred sends that meet an expired token at once, over real sockets.
@Suite(.serialized, .timeLimit(.minutes(patience)))
struct RefreshStormTests {
    @Test func `one refresh serves a hundred sends`() async throws {
        let storm = try Storm()
        for _ in 0..<rounds {
            let round = storm.round(refreshWith: .new)
            let results = await round.sendAll()

            #expect(results.values.allSatisfy { (try? $0.get()) == "welcome" }, "\(round.codes(results))")
            #expect(round.count(of: "/token") == 1)
            #expect(round.count(of: "/api") == 2 * Storm.size)
        }
    }

    @Test func `a rejected refresh fails a hundred sends, once each`() async throws {
        let storm = try Storm()
        for _ in 0..<rounds {
            let round = storm.round(refreshWith: .rejection)
            var events = round.tokens.events.makeAsyncIterator()
            let results = await round.sendAll(late: 10)

            for (number, result) in results {
                guard case .failure(let error) = result else { Issue.record("a send succeeded"); continue }
                #expect(error.code == .authenticationRejected)
                #expect(error.statusCode == 401)
                #expect(error.step == .action("BearerTokenAction"))
                #expect(error.request?.url.hasSuffix("/\(number)") == true)
                #expect(error.underlying?.networkError?.statusCode == 400)
            }
            #expect(round.count(of: "/token") == 1)
            #expect(round.count(of: "/api") == Storm.size)
            guard case .rejected(.global, let error) = await events.next() else { Issue.record("not told"); continue }
            #expect(error.code == .authenticationRejected)
            #expect(try await round.tokens.token() == nil)

            // Whoever comes later is not sent at all.
            let later = await round.send("later")
            #expect(later.thrownCode == .authenticationRejected)
            #expect(round.count(of: "/api") == Storm.size)
        }
    }

    @Test func `a refresh that breaks on the way leaves the token alone`() async throws {
        let storm = try Storm()
        for _ in 0..<rounds {
            let round = storm.round(refreshWith: .breakOnce)
            let results = await round.sendAll()

            #expect(results.values.allSatisfy { $0.thrownCode == .authenticationFailed }, "\(round.codes(results))")
            #expect(round.count(of: "/token") == 1)
            #expect(round.count(of: "/api") == Storm.size)
            #expect(try await round.tokens.token()?.value == "old")

            // The next one tries again.
            #expect(try await round.send("later").get() == "welcome")
            #expect(round.count(of: "/token") == 2)
        }
    }

    @Test func `callers that are cancelled leave at once and the refresh goes on`() async throws {
        let storm = try Storm()
        for _ in 0..<rounds {
            let round = storm.round(refreshWith: .new, opensRefresh: false)
            let sends = round.startAll()
            await round.everybodyWaits()
            await round.refreshArrives()

            // The one that set it off, and thirty others; the refresh is still held by the server.
            let cancelled = Set([try #require(round.initiator)] + (0..<30))
            for number in cancelled { sends[number].cancel() }
            for number in cancelled { #expect(await sends[number].value.thrownCode == .cancelled) }
            #expect(round.count(of: "/token") == 1)

            round.openRefresh()
            for number in 0..<Storm.size where !cancelled.contains(number) {
                #expect(await sends[number].value.thrownCode == nil)
            }
            #expect(round.count(of: "/token") == 1)
            #expect(try await round.tokens.token()?.value == "new")
        }
    }

    @Test func `an answer that an old token earned leads to a resend and not to a refresh`() async throws {
        let storm = try Storm()
        for _ in 0..<rounds {
            let round = storm.round(refreshWith: .new)
            // Ten answers are held back by the server until the others are done.
            let results = await round.sendAll(late: 10)

            #expect(results.values.allSatisfy { $0.thrownCode == nil }, "\(round.codes(results))")
            #expect(round.count(of: "/token") == 1)
            #expect(round.count(of: "/api") == 2 * Storm.size)
        }
    }
}

/// A server that refuses a hundred sends at once, and what is needed to play that many times.
private final class Storm: Sendable {
    static let size = 100

    private let server: LoopbackServer
    private let transport: any Transport
    private let rounds = Rounds()

    /// The handler knows these and not the storm, which holds the server.
    private final class Rounds: Sendable {
        let current = Locked<[String: Round]>([:])
    }

    enum Refresh: Sendable {
        case new
        case rejection
        /// The connection is reset once; then it works.
        case breakOnce
    }

    init() throws {
        server = try LoopbackServer(records: false)
        #if canImport(Glibc)
            var configuration = CurlTransport.Configuration()
            configuration.maximumRequestsPerHost = 2 * Self.size
            transport = CurlTransport(configuration: configuration)
        #else
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpMaximumConnectionsPerHost = 2 * Self.size
            transport = URLSessionTransport(configuration: configuration)
        #endif
        server.handle { [rounds] request in
            let id = request.path.split(separator: "/").first.map(String.init) ?? ""
            return rounds.current.withLock { $0[id] }?.reply(to: request) ?? .empty(404)
        }
    }

    func round(refreshWith refresh: Refresh, opensRefresh: Bool = true) -> Round {
        let id = UUID().uuidString
        let round = Round(
            base: server.url.appending(path: id),
            transport: transport,
            refresh: refresh,
            opensRefresh: opensRefresh
        )
        rounds.current.withLock { $0 = [id: round] }
        return round
    }
}

/// One time a hundred sends and a refresh.
private final class Round: Sendable {
    typealias Answer = Result<String, NetworkError>

    let tokens: TokenVault
    private let network: Network
    private let refresh: Storm.Refresh
    private let waiting: WaitingMonitor

    /// Holds every answer until all requests are there.
    private let barrier = LoopbackGate(opensAfter: Storm.size)
    private let lateGate = LoopbackGate()
    private let counts = Locked<[String: Int]>([:])

    init(base: URL, transport: any Transport, refresh: Storm.Refresh, opensRefresh: Bool) {
        self.refresh = refresh
        waiting = WaitingMonitor(opensGate: opensRefresh)
        tokens = TokenVault(store: MemoryTokenStore([.global: AccessToken("old", refreshToken: "for new")]))
        var configuration = NetworkConfiguration()
        configuration.monitors = [waiting]
        network = Network(
            baseURL: base,
            actions: [
                BearerTokenAction(tokens) { refresh in
                    try await refresh.network.send(RenewToken(refreshToken: refresh.refreshToken))
                }
            ],
            transport: transport,
            configuration: configuration
        )
    }

    func reply(to request: LoopbackRequest) -> LoopbackReply {
        let parts = request.path.split(separator: "/").map(String.init)
        let kind = "/" + parts[1]
        let number = counts.withLock { counts in
            counts[kind, default: 0] += 1
            return counts[kind] ?? 0
        }
        guard kind == "/token" else {
            if request.first(of: "Authorization") == "Bearer new" { return .text("welcome") }
            let refused = LoopbackReply.status(401, headers: ["WWW-Authenticate": "Bearer"], body: "expired")
            return parts[2] == "late" ? refused.after(.wait(barrier), .wait(lateGate)) : refused.after(.wait(barrier))
        }
        switch refresh {
        case .new:
            return .json(#"{"access_token": "new", "token_type": "bearer"}"#).after(.wait(waiting.gate))
        case .rejection:
            return .json(#"{"error": "invalid_grant"}"#, status: 400).after(.wait(waiting.gate))
        case .breakOnce where number == 1:
            return [.wait(waiting.gate), .reset]
        case .breakOnce:
            return .json(#"{"access_token": "new"}"#)
        }
    }

    func count(of kind: String) -> Int { counts.withLock { $0[kind] ?? 0 } }

    /// The number of the send that set the refresh off.
    var initiator: Int? { waiting.initiator }

    func everybodyWaits() async { await waiting.everybody(Storm.size) }

    /// Waits until the server holds the refresh.
    func refreshArrives() async { await waiting.gate.arrival() }

    func openRefresh() { waiting.gate.open() }

    func send(_ number: String, late: Bool = false) async -> Answer {
        await network.result(of: AskProtected("api/\(late ? "late" : "early")/\(number)"))
    }

    func startAll(late: Int = 0) -> [Task<Answer, Never>] {
        waiting.expect(Storm.size - late)
        return (0..<Storm.size).map { number in
            Task { await send("\(number)", late: number >= Storm.size - late) }
        }
    }

    /// Sends all, and opens the gate for the late ones when the others are done.
    func sendAll(late: Int = 0) async -> [Int: Answer] {
        let sends = startAll(late: late)
        var results: [Int: Answer] = [:]
        for (number, send) in sends.enumerated() {
            if number == Storm.size - late { lateGate.open() }
            results[number] = await send.value
        }
        return results
    }

    func codes(_ results: [Int: Answer]) -> [String] { results.values.map { $0.thrownCode.map { "\($0)" } ?? "ok" } }
}

/// Opens a gate when so many sends wait for the refresh: then its answer comes to all of them, and not to some.
private final class WaitingMonitor: EventMonitor {
    let gate = LoopbackGate()
    private let opensGate: Bool

    private struct State: Sendable {
        var waiting = 0
        var expected = Int.max
        var initiator: Int?
        var requests: [SendID: Int] = [:]
        var observers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    init(opensGate: Bool) { self.opensGate = opensGate }

    var initiator: Int? { state.withLock { $0.initiator } }

    func expect(_ count: Int) { state.withLock { $0.expected = count } }

    func everybody(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.waiting >= count { return true }
                state.observers.append(continuation)
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    func record(_ event: SendEvent) {
        let observers = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
            switch event.kind {
            case .began(let request):
                state.requests[event.id] = Int(request.url.lastPathComponent)
                return nil
            case .note(_, let note as AuthenticationNote):
                if case .refreshing = note { state.initiator = state.requests[event.id] }
                switch note {
                case .refreshing, .waiting: state.waiting += 1
                default: return nil
                }
                guard state.waiting == state.expected else { return nil }
                defer { state.observers = [] }
                return state.observers
            default:
                return nil
            }
        }
        guard let observers else { return }
        if opensGate { gate.open() }
        for observer in observers { observer.resume() }
    }
}

private struct RenewToken: Request {
    typealias Response = AccessToken
    let refreshToken: String

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(method: .post, url: try baseURL.joining("token"), body: .text(refreshToken))
    }
}
