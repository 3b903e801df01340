import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

struct RetryDecisionTests {
    private func decide(
        _ outcome: Outcome,
        _ request: NetworkRequest = NetworkRequest(url: api),
        attempt: Int = 1,
        policy: RetryPolicy = .standard,
        opinion: RetryOpinion = .asUsual,
        timeLeft: Duration? = nil
    ) -> RetryDecision {
        var generator = HighestGenerator()
        return RetryDecision(
            on: outcome,
            to: request,
            attempt: attempt,
            policy: policy,
            opinion: opinion,
            timeLeft: timeLeft,
            now: RetryAfterTests.now,
            using: &generator
        )
    }

    private func answer(_ status: HTTPStatus, _ headers: HTTPHeaders = [:]) -> Outcome {
        .success(NetworkResponse(status: status, headers: headers, request: NetworkRequest(url: api)))
    }

    private func failure(_ code: NetworkError.Code, reach: NetworkError.Reach = .maybe) -> Outcome {
        .failure(NetworkError(code, reach: reach))
    }

    // MARK: Outcomes

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func `repeats these statuses`(code: Int) {
        let status = HTTPStatus(code)
        let pause: Duration = status == 429 ? .seconds(1) : .milliseconds(500)
        #expect(decide(answer(status)) == .retry(after: pause, .status(status)))
    }

    @Test func `repeats no other status`() {
        let repeated: Set = [408, 425, 429, 500, 502, 503, 504]
        for code in Set(100...599).subtracting(repeated) {
            #expect(decide(answer(HTTPStatus(code))) == .leave, "\(code)")
        }
    }

    @Test(arguments: [
        NetworkError.Code.offline, .hostNotFound, .connectionRefused, .connectionFailed, .connectionLost, .truncated,
        .timedOutConnecting, .timedOutIdle, .timedOutAttempt,
    ])
    func `repeats these failures`(code: NetworkError.Code) {
        #expect(decide(failure(code)) == .retry(after: .milliseconds(500), .failure(code)))
    }

    /// B06: what nobody recognised may be a matter of trust.
    @Test(arguments: [
        NetworkError.Code.transportFailed, .proxyFailed, .protocolViolation, .responseTooLarge, .contentCodingFailed,
        .fileFailed, .actionFailed, .transportUnavailable, NetworkError.Code(rawValue: "strange"),
    ])
    func `leaves other failures alone`(code: NetworkError.Code) {
        #expect(decide(failure(code)) == .giveUp(.failure(code), .notInPolicy))
    }

    /// B06: trust, pins, cancellation, the total limit, what cannot be sent or read.
    @Test(arguments: Array(RetryPolicy.neverRepeated))
    func `never repeats these, whatever anybody says`(code: NetworkError.Code) {
        var policy = RetryPolicy.standard
        policy.failures.insert(code)
        policy.methods = .all
        for opinion in [RetryOpinion.asUsual, .retry(), .retry(after: .zero)] {
            let decision = decide(failure(code, reach: .no), policy: policy, opinion: opinion)
            #expect(decision == .giveUp(.failure(code), .neverRepeated))
        }
    }

    @Test func `what is never repeated and what is by default have nothing in common`() {
        let never: Set<NetworkError.Code> = [
            .cancelled, .timedOut, .tlsUntrusted, .tlsExpired, .tlsWrongHost, .tlsHandshake, .pinMismatch,
            .invalidRequest, .decodingFailed,
        ]
        #expect(never.isSubset(of: RetryPolicy.neverRepeated))
        #expect(RetryPolicy.neverRepeated.isDisjoint(with: RetryPolicy.standardFailures))
    }

    // MARK: Methods

    @Test(arguments: [
        (HTTPMethod.get, true), (.head, true), (.options, true), (.trace, true), (.put, true), (.delete, true),
        (.post, false), (.patch, false), (.connect, false), ("PURGE", false), ("get", false),
    ])
    func `repeats idempotent methods, and others that have not reached the server`(method: HTTPMethod, isRepeated: Bool)
    {
        let request = NetworkRequest(method: method, url: api)
        let lost = RetryDecision.Cause.failure(.connectionLost)
        let refused = RetryDecision.Cause.failure(.connectionRefused)

        #expect(
            decide(failure(.connectionLost), request)
                == (isRepeated ? .retry(after: .milliseconds(500), lost) : .giveUp(lost, .notIdempotent(method)))
        )
        #expect(
            decide(answer(503), request)
                == (isRepeated
                    ? .retry(after: .milliseconds(500), .status(503)) : .giveUp(.status(503), .notIdempotent(method)))
        )
        #expect(
            decide(failure(.connectionRefused, reach: .no), request) == .retry(after: .milliseconds(500), refused)
        )
    }

    struct Permission: Sendable, CustomStringConvertible {
        var description: String
        var method = HTTPMethod.post
        var methods = RetryPolicy.Methods.idempotent
        var key: String?
        var own: Bool?
        var isRepeated: Bool
    }

    @Test(arguments: [
        Permission(description: "a key", key: "k", isRepeated: true),
        Permission(description: "the request says so", own: true, isRepeated: true),
        Permission(description: "the request says no", method: .get, own: false, isRepeated: false),
        Permission(description: "the request overrules its key", key: "k", own: false, isRepeated: false),
        Permission(description: "the request overrules the policy", methods: .all, own: false, isRepeated: false),
        Permission(description: "all methods", methods: .all, isRepeated: true),
        Permission(description: "listed", methods: .only([.post]), isRepeated: true),
        Permission(description: "not listed", method: .get, methods: .only([.post]), isRepeated: false),
        Permission(description: "not listed, with a key", methods: .only([]), key: "k", isRepeated: true),
    ])
    func `who may be sent twice`(permission: Permission) {
        var request = NetworkRequest(method: permission.method, url: api)
        request.headers[.idempotencyKey] = permission.key
        request.isIdempotent = permission.own
        var policy = RetryPolicy.standard
        policy.methods = permission.methods

        let decision = decide(failure(.connectionLost), request, policy: policy)
        #expect(decision.isRetry == permission.isRepeated)
    }

    // MARK: How often, and after which pause

    @Test(arguments: [(1, 1, false), (1, 2, true), (2, 3, true), (3, 3, false), (4, 3, false), (1, 0, false)])
    func `stops after the last attempt`(attempt: Int, maxAttempts: Int, isRetry: Bool) {
        var policy = RetryPolicy.standard
        policy.maxAttempts = maxAttempts
        let decision = decide(answer(503), attempt: attempt, policy: policy)
        #expect(decision.isRetry == isRetry)
        if !isRetry { #expect(decision == .giveUp(.status(503), .noAttemptsLeft(max(1, maxAttempts)))) }
    }

    @Test func `pauses grow`() {
        var policy = RetryPolicy.standard
        policy.maxAttempts = 10
        let pauses = (1...7).map { decide(answer(503), attempt: $0, policy: policy).pause }
        #expect(pauses == [0.5, 1, 2, 4, 8, 16, 20].map { .seconds($0) })
    }

    @Test(arguments: [
        (HTTPStatus(503), "2", Duration.seconds(2)), (429, "2", .seconds(2)), (500, "60", .seconds(60)),
        (503, "0", .zero), (503, "Sun, 06 Nov 1994 08:49:39 GMT", .seconds(2)), (413, "2", .seconds(2)),
        (503, "Sun, 06 Nov 1994 08:49:30 GMT", .zero), (503, "1m0s", .milliseconds(500)), (429, "x", .seconds(1)),
    ])
    func `the server's word counts before the policy's`(status: HTTPStatus, field: String, pause: Duration) {
        #expect(decide(answer(status, [.retryAfter: field])) == .retry(after: pause, .status(status)))
    }

    @Test(arguments: [("61", 61), ("99999999999", 99_999_999_999), ("Mon, 07 Nov 1994 08:49:37 GMT", 86_400)])
    func `gives up where the server asks for too long a pause`(field: String, seconds: Int) {
        #expect(
            decide(answer(429, [.retryAfter: field]))
                == .giveUp(.status(429), .pauseTooLong(asked: .seconds(seconds), longest: .seconds(60)))
        )
    }

    @Test func `413 is repeated only if the server says when, and other statuses not even then`() {
        #expect(decide(answer(413)) == .leave)
        #expect(decide(answer(413, [.retryAfter: "later"])) == .leave)
        #expect(decide(answer(301, [.retryAfter: "2"])) == .leave)
        #expect(decide(answer(200, [.retryAfter: "2"])) == .leave)
    }

    @Test(arguments: [
        (Duration.seconds(3), Duration?.none, true), (.seconds(3), .seconds(4), true),
        (.seconds(3), .seconds(3), false),
        (.seconds(3), .seconds(2), false), (.zero, .zero, true),
    ])
    func `a pause stays within the total time limit`(pause: Duration, left: Duration?, isRetry: Bool) {
        var policy = RetryPolicy.standard
        policy.backoff = .constant(pause)
        let decision = decide(answer(503), policy: policy, timeLeft: left)
        #expect(decision.isRetry == isRetry)
        if !isRetry, let left {
            #expect(decision == .giveUp(.status(503), .pauseOutlastsDeadline(pause: pause, left: left)))
        }
    }

    @Test func `a body that was read and can be read once only is not sent again`() async throws {
        let body = RequestBody.stream { AsyncStream<Data> { $0.finish() } }
        let request = NetworkRequest(method: .put, url: api, body: body)
        #expect(decide(answer(503), request).isRetry)

        _ = try body.makeChunks()
        #expect(decide(answer(503), request) == .giveUp(.status(503), .bodyNotReplayable))
    }

    // MARK: The application's own decision

    @Test func `an opinion can make a failure of a success, and the other way round`() {
        #expect(decide(answer(200), opinion: .retry(after: .seconds(9))) == .retry(after: .seconds(9), .opinion))
        #expect(decide(answer(200), opinion: .retry()) == .retry(after: .milliseconds(500), .opinion))
        #expect(decide(answer(200, [.retryAfter: "4"]), opinion: .retry()) == .retry(after: .seconds(4), .opinion))
        #expect(decide(answer(503), opinion: .giveUp) == .giveUp(.status(503), .opinion))
        #expect(decide(answer(200), opinion: .giveUp) == .leave)
        #expect(decide(answer(503), opinion: .retry(after: .seconds(-1))) == .retry(after: .zero, .status(503)))
        #expect(
            decide(failure(.proxyFailed), opinion: .retry())
                == .retry(after: .milliseconds(500), .failure(.proxyFailed))
        )
    }

    @Test func `an opinion does not make a request safe to repeat, nor attempts endless`() {
        let post = NetworkRequest(method: .post, url: api)
        #expect(decide(answer(503), post, opinion: .retry()) == .giveUp(.status(503), .notIdempotent(.post)))
        #expect(decide(answer(200), attempt: 3, opinion: .retry()) == .giveUp(.opinion, .noAttemptsLeft(3)))
    }

    // MARK: The text

    @Test func `is a sentence with its reason`() {
        #expect("\(decide(answer(503)))" == "retry after 0.5 seconds: status 503")
        #expect(
            "\(decide(failure(.connectionLost), NetworkRequest(method: .post, url: api)))"
                == "no retry after connection-lost: POST is not idempotent, and the request may have reached the server"
        )
    }
}

private let api = URL(string: "https://api.test")!

extension RetryDecision {
    fileprivate var isRetry: Bool { if case .retry = self { true } else { false } }

    fileprivate var pause: Duration? { if case .retry(let pause, _) = self { pause } else { nil } }
}
