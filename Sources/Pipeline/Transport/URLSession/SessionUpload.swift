import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The body of a request in a form that `URLSession` sends well: nothing, bytes, or a file.
struct SessionUpload: Sendable {
    private enum Content: Sendable {
        case none
        case bytes(Data)
        case file(URL, BodyFile)
        case temporary(SpoolFile)

        var length: Int {
            switch self {
            case .none: 0
            case .bytes(let data): data.count
            case .file(_, let file): file.length
            case .temporary(let file): file.length
            }
        }
    }

    private let content: Content
    private let contentType: String?

    /// How many bytes there are.
    let length: Int

    /// Whether there is anything to send.
    var isEmpty: Bool { if case .none = content { true } else { false } }

    /// How much of a stream is gathered in memory; the rest goes to a file.
    private static let gatheredInMemory = 1 << 20

    /// Makes a body ready to be sent.
    ///
    /// - Throws: ``NetworkError`` `file-failed` if a file cannot be read or a stream not be kept, `encoding-failed` for what a
    ///   stream throws.
    init(_ body: RequestBody) async throws {
        contentType = body.contentType
        if let data = body.data {
            content = data.isEmpty ? .none : .bytes(data)
        } else if let url = body.file {
            let file = try BodyFile(url)
            content = file.length == 0 ? .none : .file(url, file)
        } else {
            content = try await Self.gather(body)
        }
        length = content.length
    }

    /// Why what was sent is not what was announced, if it is not: the file has changed meanwhile. `URLSession` reads it by
    /// itself, and is not to be interrupted in that on Linux, so this is looked at afterwards.
    var failure: NetworkError? {
        guard case .file(_, let file) = content else { return nil }
        do throws(NetworkError) { try file.checkUnchanged() } catch { return error }
        return nil
    }

    private static func gather(_ body: RequestBody) async throws -> Content {
        var head = Data()
        var spill: SpoolFile?
        do {
            var chunks = try body.makeChunks()
            while let chunk = try await chunks.next() {
                if let spill {
                    try spill.append(chunk)
                } else if head.count + chunk.count <= gatheredInMemory {
                    head.append(chunk)
                } else {
                    spill = try SpoolFile()
                    try spill?.append(head)
                    try spill?.append(chunk)
                }
            }
        } catch let error as NetworkError {
            throw NetworkError(error.code, error.explanation, underlying: error.underlying, reach: .no)
        } catch is CancellationError where Task.isCancelled {
            throw NetworkError(.cancelled, reach: .no)
        } catch {
            throw NetworkError(.encodingFailed, "the body stream threw", underlying: error, reach: .no)
        }
        if let spill {
            try spill.close()
            return .temporary(spill)
        }
        return head.isEmpty ? .none : .bytes(head)
    }

    /// The message to give to a session.
    func urlRequest(for request: NetworkRequest) -> URLRequest {
        var message = URLRequest(url: request.url)
        message.setHead(of: request)
        message.httpShouldHandleCookies = false
        // Without a type, URLSession on Linux declares every POST a form.
        if !isEmpty, message.value(forHTTPHeaderField: "Content-Type") == nil {
            message.setValue(contentType ?? "application/octet-stream", forHTTPHeaderField: "Content-Type")
        }
        return message
    }

    /// The task that sends the message.
    func makeTask(with message: URLRequest, in session: URLSession) -> URLSessionTask {
        switch content {
        case .none:
            return session.dataTask(with: message)
        case .bytes(let data):
            var message = message
            message.httpBody = data
            return session.dataTask(with: message)
        case .file(let url, _):
            return session.uploadTask(with: message, fromFile: url)
        case .temporary(let file):
            return session.uploadTask(with: message, fromFile: file.url)
        }
    }
}
