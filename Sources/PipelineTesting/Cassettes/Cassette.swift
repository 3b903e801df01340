public import Foundation
public import Pipeline

/// What was sent and what came back, kept in a file for tests that need no network.
///
/// A ``RecordingTransport`` makes it, a ``ReplayTransport`` plays it. The file is JSON, indented and sorted, to be read and edited
/// by people and to be compared in reviews. Secrets are left out when it is recorded.
public struct Cassette: Sendable, Hashable, Codable {
    /// One request and what came of it.
    public struct Exchange: Sendable, Hashable, Codable {
        /// The request.
        public var request: RecordedRequest
        /// The response; `nil` if there was none.
        public var response: RecordedResponse?
        /// The code of the error that the attempt, or the body of its response, failed with.
        public var failure: String?

        /// Creates an exchange.
        public init(request: RecordedRequest, response: RecordedResponse? = nil, failure: String? = nil) {
            self.request = request
            self.response = response
            self.failure = failure
        }
    }

    /// A request without its secrets.
    public struct RecordedRequest: Sendable, Hashable, Codable {
        /// The method.
        public var method: String
        /// The URL.
        public var url: String
        /// The header fields, each on a line: `Accept: text/plain`.
        public var headers: [String]
        /// The body.
        public var body: CassetteBody

        /// Creates a request.
        public init(method: String, url: String, headers: [String] = [], body: CassetteBody = .empty) {
            self.method = method
            self.url = url
            self.headers = headers
            self.body = body
        }
    }

    /// A response without its secrets.
    public struct RecordedResponse: Sendable, Hashable, Codable {
        /// The status code.
        public var status: Int
        /// The header fields, each on a line.
        public var headers: [String]
        /// The body.
        public var body: CassetteBody

        /// Creates a response.
        public init(status: Int, headers: [String] = [], body: CassetteBody = .empty) {
            self.status = status
            self.headers = headers
            self.body = body
        }
    }

    /// The version of the format; 1.
    public private(set) var version = Self.currentVersion

    /// What happened, in the order in which the requests were sent.
    public var exchanges: [Exchange]

    private static let currentVersion = 1

    /// Creates a cassette.
    public init(_ exchanges: [Exchange] = []) {
        self.exchanges = exchanges
    }

    /// Reads a cassette.
    ///
    /// - Throws: ``/Pipeline/NetworkError`` `file-failed` if there is no file, it is a link, it cannot be read, or it is no cassette of
    ///   a version that is known.
    public init(contentsOf file: URL) throws(NetworkError) {
        guard let data = try PrivateFile(file).read() else {
            throw NetworkError(
                .fileFailed,
                "there is no cassette \(file.lastPathComponent); record it first",
                reach: .no
            )
        }
        do { self = try JSONDecoder().decode(Cassette.self, from: data) } catch {
            let text = "\(file.lastPathComponent) is no cassette"
            throw NetworkError(.fileFailed, text, underlying: error, reach: .no)
        }
        guard version == Self.currentVersion else {
            let text =
                "\(file.lastPathComponent) is a cassette of version \(version), and only 1 is known; record it anew"
            throw NetworkError(.fileFailed, text, reach: .no)
        }
    }

    /// Writes the cassette. Only its owner can read the file, which is replaced in one step.
    ///
    /// - Throws: ``/Pipeline/NetworkError`` `file-failed` if its folder does not exist or must not be written to.
    public func write(to file: URL) throws(NetworkError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data: Data
        do { data = try encoder.encode(self) + Data("\n".utf8) } catch {
            throw NetworkError(
                .fileFailed,
                "\(file.lastPathComponent) cannot be encoded",
                underlying: error,
                reach: .no
            )
        }
        try PrivateFile(file).write(data)
    }
}
