import Foundation

/// A body on its way into a file that is not whole yet.
struct Reception {
    let file: PartialFile
    /// Where the body begins in the file.
    let start: Int
    /// Where the next byte goes.
    private(set) var position: Int
    private let target: DownloadTarget
    /// Where the body ends in the file, and the file itself, as far as the response says so.
    private let end: Int?
    private let total: Int?
    /// How long the file may become.
    private let limit: Int?

    init(_ file: PartialFile, for target: DownloadTarget, start: Int, end: Int?, total: Int?, limit: Int?) {
        self.file = file
        self.target = target
        self.limit = limit
        self.start = start
        self.end = end
        self.total = total
        position = start
    }

    /// Writes the next bytes.
    ///
    /// - Throws: `protocol-violation` if there are more than were announced, `response-too-large` if the file becomes larger
    ///   than it may, `file-failed`. Of bytes that are too many nothing is written: nobody vouches for them.
    mutating func take(_ bytes: Data) throws(NetworkError) {
        if let limit, position + bytes.count > limit {
            throw NetworkError(.responseTooLarge, "the file is larger than \(limit) bytes")
        }
        if let end, position + bytes.count > end {
            throw NetworkError(.protocolViolation, "the body has more bytes than the \(end - start) announced")
        }
        do {
            try file.write(bytes, at: position)
        } catch {
            throw NetworkError(
                .fileFailed,
                "\(target.url.lastPathComponent) cannot be written to, after \(position) bytes",
                underlying: error
            )
        }
        position += bytes.count
    }

    /// Checks lengths and digests (RFC 9530), when the body has ended.
    ///
    /// - Throws: `truncated` or `digest-mismatch`.
    func check(against response: NetworkResponse) throws(NetworkError) {
        if let end, position < end {
            throw NetworkError(
                .truncated,
                "the body has \(position - start) bytes, and \(end - start) were announced"
            )
        }
        if let total, position < total {
            throw NetworkError(.truncated, "the server sent the bytes from \(start) to \(position) of \(total)")
        }
        // Digests are those of the compressed form, and what is in the file is not.
        guard !response.headers.isContentCoded else { return }
        for headers in [response.headers, response.trailers] {
            try check(headers["Content-Digest"], of: start..<position, named: "Content-Digest")
            try check(headers["Repr-Digest"], of: 0..<position, named: "Repr-Digest")
        }
    }

    private func check(_ field: String?, of range: Range<Int>, named name: String) throws(NetworkError) {
        for (algorithm, expected) in field.flatMap(DigestField.init)?.digests ?? [:] {
            guard try digest(of: range, algorithm) ?? expected == expected else {
                throw NetworkError(.digestMismatch, "the file does not have the \(algorithm) digest in \(name)")
            }
        }
    }

    /// The digest of a part of the file; `nil` if this system has no such function, and so cannot check one.
    private func digest(of range: Range<Int>, _ algorithm: HashAlgorithm) throws(NetworkError) -> Data? {
        guard var digest = try? MessageDigest(algorithm) else { return nil }
        do {
            try file.read(range) { bytes in
                try Task.checkCancellation()
                digest.update(bytes)
            }
        } catch let error as CancellationError {
            throw NetworkError(.cancelled, underlying: error)
        } catch {
            throw NetworkError(.fileFailed, "\(target.url.lastPathComponent) cannot be read", underlying: error)
        }
        return digest.finalized()
    }
}
