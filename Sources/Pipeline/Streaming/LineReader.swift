import Foundation

/// Reads the body of a response line by line: what all sequences of lines have in common.
struct LineReader {
    private let response: NetworkResponse
    private let limit: Int
    private var chunks: ResponseBody.Iterator?
    private var splitter: LineSplitter

    init(_ response: NetworkResponse, limit: Int) {
        self.response = response
        self.limit = limit
        chunks = response.body.makeAsyncIterator()
        splitter = LineSplitter(limit: limit)
    }

    /// The number of the line that was read last, counted from 1.
    var number: Int { splitter.count }

    /// Waits for the next line, without its end; `nil` behind the last.
    mutating func next() async throws(NetworkError) -> Data? {
        while chunks != nil {
            do {
                if let line = try splitter.next() { return line }
            } catch {
                throw fail(NetworkError(.lineTooLong, "line \(error.number) is longer than \(limit) bytes"), in: .body)
            }
            let chunk: Data?
            do { chunk = try await chunks?.nextChunk() } catch {
                chunks = nil
                throw error
            }
            if let chunk {
                splitter.append(chunk)
            } else {
                chunks = nil
                return splitter.finish()
            }
        }
        return nil
    }

    /// Ends the reading, and the body with it.
    ///
    /// - Returns: The error as one of the send.
    mutating func fail(_ error: NetworkError, in step: NetworkError.Step) -> NetworkError {
        let error = response.describing(error, in: step)
        response.body.stream?.end(with: .failed(error))
        chunks = nil
        return error
    }
}

extension NetworkResponse {
    /// An error about what came with this response, as one of its send. A body that is a stream is left out: nothing more will
    /// be read from it.
    func describing(_ error: NetworkError, in step: NetworkError.Step) -> NetworkError {
        var response = self
        if body.stream != nil { response.body = .empty }
        return NetworkError(error, about: response, in: step)
    }
}
