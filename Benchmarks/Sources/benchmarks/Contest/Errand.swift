import Foundation

/// What a contest asks of a contender, before it is known where the other end will be.
enum Errand {
    /// A small JSON document, over and over.
    case document(count: Int, inFlight: Int)
    /// The same over TLS, with a full handshake for each.
    case handshake(count: Int, inFlight: Int)
    /// A body of so many bytes, dropped as it comes or written to a file.
    case download(bytes: Int, toFile: Bool)
    /// A file of so many bytes.
    case upload(bytes: Int)

    /// How much is done in a turn: requests, or bytes.
    var amount: Double {
        switch self {
        case .document(let count, _), .handshake(let count, _): Double(count)
        case .download(let bytes, _), .upload(let bytes): Double(bytes)
        }
    }

    /// The work to do at an other end.
    ///
    /// - Throws: ``BenchmarkFailure`` if the other end cannot play its part.
    func work(at end: OtherEnd) throws -> Work {
        switch self {
        case .document(let count, let inFlight):
            return Work(.get, end.document, count: count, inFlight: inFlight)
        case .handshake(let count, let inFlight):
            let secure = try end.secureDocument()
            return Work(.get, secure.url, count: count, inFlight: inFlight, file: secure.certificate)
        case .download(let bytes, let toFile):
            return Work(.download, try end.large(bytes), file: toFile ? end.scratch.target : nil)
        case .upload(let bytes):
            return Work(.upload, end.sink(bytes), file: try end.scratch.sparseFile(bytes))
        }
    }
}
