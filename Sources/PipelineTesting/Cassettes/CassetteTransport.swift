public import Foundation
public import Pipeline
public import PipelineActions

/// A transport that records a ``Cassette`` if there is none yet, and plays it from then on.
///
///     let transport = try CassetteTransport(file, around: URLSessionTransport())
///     let network = Network(baseURL: api, transport: transport)
///     …
///     try transport.finish()
///
/// Remove the file to record it anew.
public final class CassetteTransport: Transport {
    private enum Mode: Sendable {
        case recording(RecordingTransport)
        case playing(ReplayTransport)
    }

    private let mode: Mode
    private let isStrict: Bool

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - file: The cassette.
    ///   - base: What sends while it is recorded.
    ///   - matching: What makes a request the recorded one; in the order of the recording unless told otherwise.
    ///   - redaction: What is left out; the usual secrets unless told otherwise.
    /// - Throws: ``/Pipeline/NetworkError`` `file-failed` if there is a file that is no cassette.
    public init(
        _ file: URL,
        around base: any Transport,
        matching: CassetteMatching = .strict,
        redaction: RedactionPolicy = .standard
    ) throws(NetworkError) {
        isStrict = matching.order == .strict
        if try PrivateFile(file).read() == nil {
            mode = .recording(RecordingTransport(around: base, to: file, redaction: redaction))
        } else {
            mode = .playing(try ReplayTransport(contentsOf: file, matching: matching, redaction: redaction))
        }
    }

    /// Whether requests are sent and recorded; if not, they are answered from the cassette.
    public var isRecording: Bool { if case .recording = mode { true } else { false } }

    public var capabilities: TransportCapabilities { transport.capabilities }

    /// Writes the cassette if it was recorded. If it was played in strict order, makes sure that all of it was.
    ///
    /// - Throws: ``/Pipeline/NetworkError`` `file-failed`, or ``CassetteLeftover``.
    public func finish() throws {
        switch mode {
        case .recording(let recorder): try recorder.save()
        case .playing(let player): if isStrict { try player.verify() }
        }
    }

    public func send(_ request: NetworkRequest) async throws -> NetworkResponse { try await transport.send(request) }

    public func shutdown() async { await transport.shutdown() }

    private var transport: any Transport {
        switch mode {
        case .recording(let recorder): recorder
        case .playing(let player): player
        }
    }
}
