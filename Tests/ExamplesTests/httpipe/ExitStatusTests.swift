import Pipeline
import Testing

@testable import httpipe

struct ExitStatusTests {
    @Test(arguments: [
        (200, 0), (299, 0), (302, 3), (304, 3), (404, 4), (499, 4), (500, 5), (599, 5), (600, 10), (101, 10),
    ])
    func `follows the status`(status: Int, expected: Int32) {
        #expect(ExitStatus(HTTPStatus(status), accepting: .success).rawValue == expected)
    }

    @Test(arguments: [(404, 0), (302, 0), (200, 10)])
    func `follows what is accepted`(status: Int, expected: Int32) {
        #expect(ExitStatus(HTTPStatus(status), accepting: [404, 302]).rawValue == expected)
    }

    @Test(arguments: Self.errors)
    func `follows the error`(code: NetworkError.Code, expected: Int32) {
        #expect(ExitStatus(NetworkError(code)).rawValue == expected)
    }

    private static let errors: [(NetworkError.Code, Int32)] = [
        (.redirectRefused, 3), (.offline, 6), (.hostNotFound, 6), (.connectionLost, 6),
        (.proxyFailed, 6), (.timedOut, 7), (.timedOutAttempt, 7), (.timedOutConnecting, 7), (.tlsExpired, 8),
        (.pinMismatch, 8), (.pinningUnsupported, 8), (.invalidRequest, 9), (.bodyNotReplayable, 10),
        (.responseTooLarge, 10), (.fileFailed, 10), (.transportFailed, 10), (.cancelled, 130),
        (NetworkError.Code(rawValue: "elsewhere.broken"), 10),
    ]
}
