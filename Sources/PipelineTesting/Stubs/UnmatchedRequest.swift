public import Pipeline

/// That a stub or a cassette has no answer for a request, with what was tried and why it did not match.
///
/// It arrives as ``/Pipeline/NetworkError/underlying`` of an error with the code `testing-unmatched-request`, whose text says the
/// same. It names places and names, and no value that can be a secret.
public struct UnmatchedRequest: Error, Sendable, Hashable, CustomStringConvertible {
    /// Something that could have answered.
    public struct Candidate: Sendable, Hashable {
        /// The rule, or the request on the cassette.
        public let name: String
        /// Why it did not match, as clauses.
        public let reasons: [String]
    }

    /// The request: method and URL, without query and credentials.
    public let request: String

    /// What could have answered, in the order in which it was tried.
    public let candidates: [Candidate]

    private let summary: String

    init(_ request: NetworkRequest, _ candidates: [Candidate], summary: String) {
        self.request = request.description
        self.candidates = candidates
        self.summary = summary
    }

    /// One line: the request, and each candidate with its reasons.
    public var description: String {
        let list = candidates.enumerated().map { number, candidate in
            "(\(number + 1)) \(candidate.name): \(candidate.reasons.joined(separator: ", "))"
        }
        return "\(request): " + ([summary] + list).joined(separator: "; ")
    }

    /// The error for the transport to throw.
    var error: NetworkError { NetworkError(.unmatchedRequest, description, underlying: self, reach: .no) }
}

extension NetworkError.Code {
    /// A stub or a cassette has no answer for the request; see ``UnmatchedRequest``.
    public static let unmatchedRequest = NetworkError.Code(rawValue: "testing-unmatched-request")
}
