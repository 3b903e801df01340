import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(3)))
struct URLSessionTransportTests {
    @Test(arguments: TransportConformance.cases.filter { fatalDifferences[$0.name] == nil })
    func `keeps the rules of transports`(_ rule: TransportConformance.Case) async throws {
        guard let reason = knownDifferences[rule.name] else { return try await rule.run { URLSessionTransport() } }
        await #expect(throws: ConformanceFailure.self, "no longer true: \(reason)") {
            try await rule.run(patience: .seconds(2)) { URLSessionTransport() }
        }
    }

    @Test func `names only rules that exist`() {
        let names = Set(TransportConformance.cases.map(\.name))
        #expect(Set(knownDifferences.keys).union(fatalDifferences.keys).isSubset(of: names))
        #expect(names.count == TransportConformance.cases.count, "names identify cases")
    }
}

#if canImport(Darwin)
    private let knownDifferences: [String: String] = [:]
    private let fatalDifferences: [String: String] = [:]
#else
    /// What `URLSession` cannot do on Linux, with the reason.
    private let knownDifferences = [
        "reads a header field that is not UTF-8 as Latin-1": "Foundation fails the whole response",
        "tells all values of a field whose name is spelled in two ways":
            "Foundation keeps the fields in a dictionary, where the last one wins",
        "takes a status line without a reason": "Foundation cannot parse it and fails the whole response",
        "fails on a compressed body that ends early": "libcurl takes the end of the body for the end of the coding",
        "refuses codings piled on each other": "libcurl undoes up to five codings, and cannot be told not to",
        "refuses two lengths that differ": "libcurl takes the first and says nothing",
        "refuses interim responses without end": "libcurl 7 skips any number of them",
        "keeps the connect limit": "a session is silent until the answer comes, so the idle limit strikes instead",
        "keeps the connect limit of a request with a body":
            "that no byte of a body has left does not prove that the head has not",
        "sends to an IPv6 address": "Foundation takes the brackets for a bad URL, so the transport refuses it",
    ]

    /// Answers that end the process: `URLProtocol` stops with "Transfer completed, but there's no response". Nothing that a
    /// client of `URLSession` can do keeps a server from sending them.
    private let fatalDifferences = [
        "reads a chunked body with trailers": "the fields after the body are taken for a new, unfinished response",
        "tells a connection that is closed within the head instead of an answer": "the unfinished head is no response",
    ]

    extension URLSessionTransportTests {
        @Test func `ends the process when a chunked body has trailers`() async {
            await ExitTestTurn.take {
                await #expect(processExitsWith: .failure) { try await runFatal("reads a chunked body with trailers") }
            }
        }

        @Test func `ends the process when a connection is closed within the head`() async {
            await ExitTestTurn.take {
                await #expect(processExitsWith: .failure) {
                    try await runFatal("tells a connection that is closed within the head instead of an answer")
                }
            }
        }
    }

    private func runFatal(_ name: String) async throws {
        // A description of the crash would take longer than all the rest.
        for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV] { signal(number, SIG_DFL) }
        for rule in TransportConformance.cases where rule.name == name { try? await rule.run { URLSessionTransport() } }
    }
#endif
