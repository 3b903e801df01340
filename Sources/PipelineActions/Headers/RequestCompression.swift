public import Pipeline

/// What ``RequestCompressionAction`` did with a body it was asked to compress, and why: the note that it reports.
public enum RequestCompression: Sendable, Hashable, CustomStringConvertible {
    /// The body was compressed; its size in bytes before and after.
    case compressed(from: Int, to: Int)
    /// The body was left as it is.
    case left(Reason)

    /// Why a body was left as it is.
    public enum Reason: Sendable, Hashable, CustomStringConvertible {
        /// It has a `Content-Encoding` already.
        case alreadyCoded
        /// It is no bytes in memory.
        case notInMemory
        /// It is smaller than is worth the work; its size in bytes.
        case tooSmall(Int)
        /// A header field describes its bytes as they are; the name of the field.
        case described(String)
        /// Compressed it is no smaller.
        case noSmaller
        /// It could not be compressed; the code of the error.
        case failed(NetworkError.Code)

        public var description: String {
            switch self {
            case .alreadyCoded: "it has a Content-Encoding already"
            case .notInMemory: "it is not in memory"
            case .tooSmall(let size): "it is only \(size) bytes long"
            case .described(let name): "\(name) describes its bytes as they are"
            case .noSmaller: "compressed it is no smaller"
            case .failed(let code): code.rawValue
            }
        }
    }

    public var description: String {
        switch self {
        case .compressed(let before, let after): "compressed \(before) bytes to \(after)"
        case .left(let reason): "left the body as it is: \(reason)"
        }
    }

    /// Why the body of a request is left as it is, if that shows before anything is compressed.
    static func obstacle(to request: NetworkRequest, minimumSize: Int) -> Reason? {
        if request.headers.contains(.contentEncoding) { return .alreadyCoded }
        guard let data = request.body.data else { return .notInMemory }
        if data.count < minimumSize || data.isEmpty { return .tooSmall(data.count) }
        // Digests and ranges are of the bytes that are sent (RFC 9530, section 2; RFC 9110, section 14.4).
        let describing = request.headers.first { describingFields.contains($0.name) }
        return describing.map { .described($0.name.description) }
    }

    private static let describingFields: Set<HTTPFieldName> = [
        .contentRange, "Content-Digest", "Repr-Digest", "Digest", "Content-MD5", "Signature", "Signature-Input",
    ]
}
