public import Pipeline

/// Compresses the bodies of requests with gzip, where that is asked for (RFC 9110, sections 8.4 and 12.5.3).
///
/// Servers need not understand a compressed request, and nothing tells beforehand whether they do; so it is opt-in, request by
/// request or by a rule:
///
///     RequestCompressionAction { $0.url.path.hasPrefix("/logs") }
///
///     request.compressesBody = true
///
/// It compresses bytes in memory from a kilobyte on and sets `Content-Encoding`. What it did is reported as a note that holds
/// a ``RequestCompression``.
///
/// **Where it belongs:** in the hop zone, after the actions that retry and before signing. An action that retries starts from
/// the original, so it is compressed anew and never twice.
///
/// **What it may send twice:** nothing.
///
/// **What it never does:** compress a body that has a `Content-Encoding` already, a file, a stream, or one whose bytes a
/// field such as `Content-Digest` describes; send more bytes than there were; make a send fail: where zlib is missing, the
/// body is sent as it is, and the note says so.
///
/// **How to test:** send over a `ScriptedTransport` of `PipelineTesting`, and look at the bodies of its requests.
public struct RequestCompressionAction: RequestWillBeginAction {
    private let minimumSize: Int
    private let encoder: GzipEncoder
    private let rule: @Sendable (NetworkRequest) -> Bool

    /// Creates the action.
    ///
    /// - Parameters:
    ///   - minimumSize: The smallest body that is compressed, in bytes; 1024 unless told otherwise. Below, the packets are as
    ///     many as before.
    ///   - encoder: How hard to try; as zlib does by itself unless told otherwise.
    ///   - rule: Whether to compress the body of a request that does not say so itself
    ///     (`NetworkRequest.compressesBody`). None is unless told otherwise.
    public init(
        minimumSize: Int = 1024,
        encoder: GzipEncoder = GzipEncoder(),
        when rule: @escaping @Sendable (NetworkRequest) -> Bool = { _ in false }
    ) {
        self.minimumSize = minimumSize
        self.encoder = encoder
        self.rule = rule
    }

    public var zone: ActionZone { .hop }

    public var customPropertyKeys: [any CustomPropertyKey.Type] { [CompressesBodyKey.self] }

    public func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        guard !request.body.isEmpty, request.compressesBody ?? rule(request) else { return .proceed(request) }
        var request = request
        let compression = compress(&request)
        request.context.report(.note(action: "RequestCompressionAction", compression))
        return .proceed(request)
    }

    private func compress(_ request: inout NetworkRequest) -> RequestCompression {
        if let obstacle = RequestCompression.obstacle(to: request, minimumSize: minimumSize) { return .left(obstacle) }
        guard let data = request.body.data else { return .left(.notInMemory) }
        do {
            let compressed = try encoder.encode(data)
            guard compressed.count < data.count else { return .left(.noSmaller) }
            request.body = request.body.contentType.map { .bytes(compressed, contentType: $0) } ?? .bytes(compressed)
            request.headers[.contentEncoding] = "gzip"
            return .compressed(from: data.count, to: compressed.count)
        } catch {
            return .left(.failed(error.code))
        }
    }
}

/// Whether the body of a request is compressed. Its name is `compressesBody`.
public enum CompressesBodyKey: CustomPropertyKey {
    public static let name = "compressesBody"
    public static let defaultValue: Bool? = nil
}

extension NetworkRequest {
    /// Whether a ``RequestCompressionAction`` compresses the body; `nil`, as it is at first, to go by the action's rule.
    public var compressesBody: Bool? {
        get { customProperties[CompressesBodyKey.self] }
        set { customProperties[CompressesBodyKey.self] = newValue }
    }
}

extension Action where Self == RequestCompressionAction {
    /// Compresses the bodies of requests that ask for it.
    public static var requestCompression: RequestCompressionAction { RequestCompressionAction() }
}
