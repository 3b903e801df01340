public import Foundation
public import Pipeline
public import PipelineActions

/// A transport that records onto a ``Cassette`` what another one sends and receives.
///
///     let recorder = RecordingTransport(around: URLSessionTransport(), to: file)
///     let network = Network(baseURL: api, transport: recorder)
///     …
///     try recorder.save()
///
/// Nobody notices: a response that arrives as a stream is handed on as one, chunk by chunk, and what the reader gets is what came.
/// Only what is written down is without secrets: header fields, items of URLs, and the fields of forms, JSON and texts, by the
/// redaction policy. A secret without a name, in a path or in a binary body, cannot be found; look at a cassette before you share it.
///
/// Failures are recorded by their code. An attempt that was cancelled before its response is not recorded at all; a body that its
/// reader let go of is recorded as far as it was read, and breaks off there when it is replayed. A connection that leaves HTTP,
/// such as that of a WebSocket, is handed on and not recorded.
public final class RecordingTransport: Transport {
    private let base: any Transport
    private let file: PrivateFile
    private let scribe: CassetteScribe
    /// One place for each attempt, in the order in which they began; empty until it is known what became of it.
    private let places = Locked<[Cassette.Exchange?]>([])

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - base: What sends.
    ///   - file: Where ``save()`` writes the cassette.
    ///   - redaction: What is left out; the usual secrets unless told otherwise.
    ///   - bodyLimit: The largest body that is kept, in bytes; 1 MB unless told otherwise. Of a larger one only the size is.
    public init(
        around base: any Transport,
        to file: URL,
        redaction: RedactionPolicy = .standard,
        bodyLimit: Int = 1_000_000
    ) {
        self.base = base
        self.file = PrivateFile(file)
        scribe = CassetteScribe(redaction: redaction, bodyLimit: bodyLimit)
    }

    /// What the transport that sends can do.
    public var capabilities: TransportCapabilities { base.capabilities }

    /// What was recorded so far. A response is there once its body has ended.
    public var cassette: Cassette { Cassette(places.withLock { $0.compactMap(\.self) }) }

    /// Writes what was recorded so far to the file, in place of what was there.
    ///
    /// - Throws: ``/Pipeline/NetworkError`` `file-failed`.
    public func save() throws(NetworkError) {
        try cassette.write(to: file.url)
    }

    public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        let recorded = scribe.record(request)
        let place = places.withLock { places in
            places.append(nil)
            return places.count - 1
        }
        let response: NetworkResponse
        do {
            response = try await base.send(request)
        } catch {
            let code = NetworkError(transportFailure: error).code
            if code != .cancelled, !(error is CancellationError) {
                fill(place, Cassette.Exchange(request: recorded, failure: code.rawValue))
            }
            throw error
        }
        // What follows is no body, and could not be replayed.
        guard response.status != .switchingProtocols else { return response }
        return await recording(response, to: recorded, at: place)
    }

    public func shutdown() async { await base.shutdown() }

    /// Records a response: now if its body is there, when it ends if it is a stream.
    private func recording(
        _ response: NetworkResponse,
        to request: Cassette.RecordedRequest,
        at place: Int
    ) async -> NetworkResponse {
        let head = scribe.record(response)
        let type = response.headers[.contentType]
        guard let stream = response.body.stream else {
            var body = response.body.data
            if body == nil { body = try? await response.body.collect(upTo: scribe.bodyLimit) }
            fill(place, exchange(request, head, body.map { scribe.body($0, type: type) } ?? .omitted(size: nil)))
            return response
        }
        let copy = CopiedStream(stream, limit: scribe.bodyLimit)
        let copied = BodyStream(copy, expectedLength: stream.expectedLength)
        copied.onEnd { [self] end in
            let body = copy.content.map { scribe.body($0, type: type) } ?? .omitted(size: copy.size)
            fill(place, exchange(request, head, body, failure: end.recordedFailure))
        }
        var response = response
        response.body = .stream(copied)
        return response
    }

    private func exchange(
        _ request: Cassette.RecordedRequest,
        _ head: Cassette.RecordedResponse,
        _ body: CassetteBody,
        failure: NetworkError.Code? = nil
    ) -> Cassette.Exchange {
        var response = head
        response.body = body
        return Cassette.Exchange(request: request, response: response, failure: failure?.rawValue)
    }

    private func fill(_ place: Int, _ exchange: Cassette.Exchange) {
        places.withLock { $0[place] = exchange }
    }
}

extension BodyStream.End {
    /// The code of the error that the body breaks off with when it is replayed; `nil` if it was whole.
    fileprivate var recordedFailure: NetworkError.Code? {
        switch self {
        case .finished: nil
        case .failed(let error): error.code
        case .cancelled, .abandoned: .truncated
        }
    }
}
