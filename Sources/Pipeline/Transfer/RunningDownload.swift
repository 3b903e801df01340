import Foundation

/// The download of one send: it says what is still to be asked for, and takes the body of each response.
///
/// All that must outlive a pass of the chain stands on the disk. So it makes no difference whether the next pass belongs to a
/// retry, to another hop, or to another run of the program.
final class RunningDownload: Sendable {
    let target: DownloadTarget
    private let name: String
    private let keepsParts: Bool
    private let state = Locked(State())

    /// The file that came of it. It has no response, which knows the request, which knows this.
    private struct Result: Sendable {
        let url: URL
        let size: Int
        let start: Int
    }

    private struct State: Sendable {
        var file: PartialFile?
        var note: PartialNote?
        var question: ResumeDecision.Question?
        /// Why the whole has to be asked for, once it has.
        var obstacle: String?
        var hasStartedAgain = false
        var result: Result?
    }

    /// - Parameters:
    ///   - target: Where the file goes.
    ///   - request: The request as it was built.
    ///   - isResumable: Whether a part is kept for the next time.
    init(to target: DownloadTarget, of request: NetworkRequest, isResumable: Bool) {
        self.target = target
        let place = "\(request.url.absoluteString)\n\(target.name)"
        let digest = try? MessageDigest.digest(of: place, .sha256)
        name = digest?.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() ?? UUID().uuidString
        keepsParts = isResumable && digest != nil && request.method == .get
    }

    /// The file, if it is the body of a response; `nil` if that has another.
    func file(in response: NetworkResponse) -> DownloadedFile? {
        guard let result = state.withLock({ $0.result }), result.url == response.body.file else { return nil }
        return DownloadedFile(url: result.url, size: result.size, resumedAt: result.start, response: response)
    }

    // MARK: Around an attempt

    /// Takes hold of what there is.
    ///
    /// - Parameter url: Where the attempt goes.
    /// - Returns: What to ask for; `nil` for the whole.
    /// - Throws: `file-failed` if the same download is under way already, or the folder cannot be written to.
    func open(for url: URL) throws(NetworkError) -> ResumeDecision.Question? {
        let file: PartialFile
        let length: Int
        do throws(POSIXError) {
            file = try PartialFile(in: target.folder, named: name)
            length = try file.length
        } catch {
            let reason = error.code == .EAGAIN ? "is being downloaded already" : "cannot be written to"
            throw failure(reason, error, reach: .no)
        }
        let note = keepsParts ? file.readNote().flatMap { try? JSONDecoder().decode(PartialNote.self, from: $0) } : nil
        return state.withLock { state in
            state.file = file
            state.result = nil
            state.note = length > 0 ? note : nil
            state.question = state.hasStartedAgain ? nil : note?.question(at: url, having: length)
            return state.question
        }
    }

    /// Lets go of the file. A part that cannot be gone on with is removed.
    ///
    /// - Returns: Why the whole has to be asked for now, if it has: once in a send.
    func close(after outcome: Outcome) -> String? {
        let (file, note, result, reason) = state.withLock { state in
            if let question = state.question, case .success(let response) = outcome,
                case .startAgain(let reason) = ResumeDecision(on: response.status, response.headers, asked: question)
            {
                state.obstacle = reason
                state.note = nil
            }
            // Gone on with, it would only become too large again.
            if case .failure(let error) = outcome, error.code == .responseTooLarge { state.note = nil }
            state.question = nil
            let reason = state.obstacle.take()
            let isFirst = !state.hasStartedAgain
            if reason != nil { state.hasStartedAgain = true }
            return (state.file.take(), state.note, state.result, isFirst ? reason : nil)
        }
        if let file, result == nil, note == nil || (try? file.length) ?? 0 == 0 { file.remove() }
        file?.unlock()
        return reason
    }

    // MARK: The body

    /// Whether the body of a response is the file, or a part of it.
    func takes(_ response: NetworkResponse) -> Bool {
        let hasNoContent = response.status == .noContent || response.status == .resetContent
        return response.isAcceptable && HTTPStatusSet.success.contains(response.status) && !hasNoContent
    }

    /// Writes the body of a response while it arrives.
    func receive(
        _ body: ResponseBody,
        of response: NetworkResponse
    ) async throws(NetworkError) -> Reception {
        var reception = try begin(response)
        var chunks = body.makeAsyncIterator()
        while let chunk = try await chunks.nextChunk() { try reception.take(chunk) }
        return reception
    }

    /// Writes the body of a response that has come whole.
    func receive(_ body: Data, of response: NetworkResponse) throws(NetworkError) -> Reception {
        var reception = try begin(response)
        try reception.take(body)
        return reception
    }

    private func begin(_ response: NetworkResponse) throws(NetworkError) -> Reception {
        let (file, question, known) = state.withLock { ($0.file, $0.question, $0.note) }
        guard let file else { throw failure("is not open", POSIXError(.EBADF)) }
        let limit = response.request.maximumResponseSize
        switch ResumeDecision(on: response.status, response.headers, asked: question) {
        case .begin:
            let note = keepsParts ? PartialNote(of: response, now: response.request.context.time.date) : nil
            try change(file, to: note, empties: true)
            let length = response.headers.isContentCoded ? nil : response.headers.announcedLength
            return Reception(file, for: target, start: 0, end: length, total: length, limit: limit)
        case .goOn(let bytes, let total):
            if var note = known, note.total != total {
                note.total = total
                try change(file, to: note, empties: false)
            }
            response.request.context.report(.resumed(at: bytes.lowerBound, of: total))
            let end = bytes.upperBound + 1
            return Reception(file, for: target, start: bytes.lowerBound, end: end, total: total, limit: limit)
        case .startAgain(let reason):
            state.withLock { state in
                state.obstacle = reason
                state.note = nil
            }
            throw NetworkError(.protocolViolation, reason)
        case .refuse(let reason):
            throw NetworkError(.protocolViolation, reason)
        }
    }

    /// Writes down what the bytes are that follow. The old ones are gone before that, so that no note speaks of others.
    private func change(_ file: PartialFile, to note: PartialNote?, empties: Bool) throws(NetworkError) {
        do {
            if empties { try file.cut(at: 0) }
            if let note { try file.writeNote(JSONEncoder().encode(note)) } else { file.removeNote() }
        } catch {
            throw failure("cannot be written to", error)
        }
        state.withLock { $0.note = note }
    }

    /// Checks what has come and moves the file to its place.
    ///
    /// - Returns: The file, and the response with it as its body.
    func finish(_ reception: Reception, of response: NetworkResponse) throws(NetworkError) -> DownloadedFile {
        do {
            try reception.check(against: response)
        } catch {
            if error.code == .digestMismatch { state.withLock { $0.note = nil } }
            throw error
        }
        let url: URL
        do throws(POSIXError) {
            url = try place(reception.file, named: response)
        } catch {
            throw failure("cannot be written to", error)
        }
        state.withLock { $0.result = Result(url: url, size: reception.position, start: reception.start) }
        var response = response
        response.body = .file(url)
        return DownloadedFile(url: url, size: reception.position, resumedAt: reception.start, response: response)
    }

    private func place(_ file: PartialFile, named response: NetworkResponse) throws(POSIXError) -> URL {
        switch target {
        case .file(let url):
            try file.move(to: url)
            return url
        case .folder(let folder):
            let given = response.headers.values(of: .contentDisposition).first.flatMap(ContentDisposition.init)
            let name = given?.givenName.flatMap(FileName.init(cleaning:)) ?? FileName(lastSegmentOf: response.url)
            var number = 1
            while true {
                let candidate = folder.appendingPathComponent((number == 1 ? name : name.numbered(number)).text)
                if try file.move(toFree: candidate) { return candidate }
                number += 1
            }
        }
    }

    private func failure(_ reason: String, _ cause: any Error, reach: NetworkError.Reach = .maybe) -> NetworkError {
        NetworkError(.fileFailed, "\(target.url.lastPathComponent) \(reason)", underlying: cause, reach: reach)
    }
}
