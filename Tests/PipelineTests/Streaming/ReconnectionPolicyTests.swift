import Pipeline
import PipelineTesting
import Testing

struct ReconnectionPolicyTests {
    @Test(
        arguments: [
            (0, nil, 3), (1, nil, 3), (2, nil, 6), (3, nil, 12), (6, nil, 60), (1_000_000, nil, 60),
            (0, 10, 10), (2, 10, 20), (0, 0, 1), (2, 0, 2), (0, 3600, 60),
        ] as [(Int, Int?, Int)]
    )
    func `waits as long as the server asks, within bounds, and longer while nobody answers`(
        failures: Int,
        told: Int?,
        expected: Int
    ) {
        var policy = ReconnectionPolicy()
        policy.jitter = 0
        var generator = SystemRandomNumberGenerator()

        let pause = policy.pause(after: failures, told: told.map { .seconds($0) }, using: &generator)
        #expect(pause == .seconds(expected))
    }

    @Test func `chance makes a pause longer, by half at most`() {
        var generator = SeededGenerator(seed: 7)
        let pauses = (0..<1000).map { _ in ReconnectionPolicy().pause(after: 0, using: &generator) }

        #expect(pauses.allSatisfy { (.seconds(3)...(.milliseconds(4500))).contains($0) })
        #expect(Set(pauses).count > 900)
        let late = (0..<100).map { _ in ReconnectionPolicy().pause(after: 5, using: &generator) }
        #expect(late.allSatisfy { (.seconds(48)...(.seconds(60))).contains($0) })
    }

    @Test func `a pause of zero stays one where the bounds allow it`() {
        var policy = ReconnectionPolicy()
        policy.bounds = .zero...(.seconds(60))
        var generator = SystemRandomNumberGenerator()

        #expect(policy.pause(after: 1_000_000, told: .zero, using: &generator) == .zero)
    }

    @Test(
        arguments: [
            (.connectionLost, true), (.connectionRefused, true), (.offline, true), (.hostNotFound, true),
            (.timedOutIdle, true),
            (.timedOut, true), (.truncated, true), (.transportFailed, true), (.cancelled, false),
            (.invalidRequest, false),
            (.tlsUntrusted, false), (.pinMismatch, false), (.authenticationRequired, false), (.redirectRefused, false),
            (.unacceptableContentType, false), (.lineTooLong, false), (.actionFailed, false),
            (.transportUnavailable, false),
            (.unacceptableStatus, false),
        ] as [(NetworkError.Code, Bool)]
    )
    func `comes back after what may pass`(code: NetworkError.Code, comesBack: Bool) {
        #expect(ReconnectionPolicy().reconnects(after: NetworkError(code)) == comesBack)
    }

    @Test(
        arguments: [
            (201, false), (301, false), (400, false), (401, false), (404, false), (408, true), (429, true), (500, true),
            (501, false), (502, true), (503, true), (504, true),
        ] as [(HTTPStatus, Bool)]
    )
    func `comes back after a status that may pass`(status: HTTPStatus, comesBack: Bool) {
        let response = NetworkResponse(status: status, request: NetworkRequest(url: api))
        let error = NetworkError(.unacceptableStatus, response: response)

        #expect(ReconnectionPolicy().reconnects(after: error) == comesBack)
    }
}
