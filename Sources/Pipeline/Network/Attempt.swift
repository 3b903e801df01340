import Foundation

/// One trip of a request through the transport, up to a body that is whole or left a stream.
///
/// It ends at once when its time is up or the send is stopped, whatever the transport does.
final class Attempt: Sendable {
    private let request: NetworkRequest
    private let origin: Origin
    private let send: RunningSend
    private let context: SendContext
    private let body = Locked(BodyState())

    private struct BodyState {
        var stream: BodyStream?
        var failure: NetworkError?
        var limit: (any TimeLimitHandle)?
        var direct: (any DirectAttempt)?
        var isOver = false
    }

    /// - Parameters:
    ///   - request: The request, which was checked.
    ///   - origin: Where it goes.
    init(_ request: NetworkRequest, to origin: Origin, send: RunningSend, context: SendContext) {
        self.request = request
        self.origin = origin
        self.send = send
        self.context = context
    }

    /// Runs the attempt.
    ///
    /// - Parameter responseBegan: Called when the head is in, before the body is read.
    func run(responseBegan: (NetworkResponse) -> Void) async -> Outcome {
        if let limit = request.timeLimits.attempt, limit < .unlimited { startLimit(of: limit) }
        defer {
            let limit = body.withLock { body in
                body.isOver = true
                body.stream = nil  // The stream knows this attempt; it must not be known back.
                return body.limit.take()
            }
            limit?.lift()
        }
        do {
            let response = adopted(try await receiveHead())
            responseBegan(response)
            guard let stream = response.body.stream else { return .success(try deliverBytes(of: response)) }
            return .success(try await receive(stream, of: response))
        } catch {
            return .failure(described(error, .transport))
        }
    }

    private func startLimit(of duration: Duration) {
        let handle = context.time.startLimit(of: duration) { [self] in limitStruck() }
        let isOver = body.withLock { body in
            if !body.isOver { body.limit = handle }
            return body.isOver
        }
        if isOver { handle?.lift() }
    }

    /// Ends the attempt if its time is up. The time that a transport made it wait does not count.
    private func limitStruck() {
        let limit = request.timeLimits.attempt ?? .zero
        switch context.admission {
        case .atOnce:
            end(NetworkError(.timedOutAttempt))
        case .awaited:
            startLimit(of: limit)
        case .granted(let moment):
            let left = limit - (context.time.now - moment)
            if left > .zero { startLimit(of: left) } else { end(NetworkError(.timedOutAttempt)) }
        }
    }

    private func receiveHead() async throws -> NetworkResponse {
        let core = send.core
        let attempt: any DirectAttempt =
            try core.directTransport?.begin(request, to: origin) ?? SeparateAttempt(request, over: core.transport)
        let failure = body.withLock { body in
            body.direct = attempt
            return body.failure
        }
        if let failure { attempt.stop(with: failure) }
        defer { body.withLock { $0.direct = nil } }
        return try await attempt.response()
    }

    private func receive(_ stream: BodyStream, of response: NetworkResponse) async throws -> NetworkResponse {
        var response = response
        let isWanted = response.isAcceptable
        switch request.delivery {
        case .stream where isWanted:
            body.withLock { $0.stream = nil }  // From here on the body is the reader's, and no part of the attempt.
            send.adopt(stream)
        case .file where request.download?.takes(response) == true:
            body.withLock { $0.stream = nil }
            return try await download(.stream(stream), of: response)
        case .file(let url) where isWanted && request.download == nil:
            body.withLock { $0.stream = nil }
            try await FileDelivery(to: url).write(stream)
            response.body = .file(url)
            response.take(stream.epilogue)
        default:
            let limit = request.maximumResponseSize ?? send.core.configuration.maximumGatheredSize
            do {
                response.body = .bytes(try await stream.collect(upTo: limit))
                response.take(stream.epilogue)
            } catch {
                response.body = .empty
                throw described(error, .body, response)
            }
        }
        return response
    }

    private func download(_ body: ResponseBody, of response: NetworkResponse) async throws -> NetworkResponse {
        guard let download = request.download else { return response }
        var response = response
        let reception = try await download.receive(body, of: response)
        response.take(body.stream?.epilogue)
        return try download.finish(reception, of: response).response
    }

    /// A body that came whole with its head.
    private func deliverBytes(of response: NetworkResponse) throws -> NetworkResponse {
        guard let data = response.body.data else { return response }
        if let limit = request.maximumResponseSize, data.count > limit {
            throw NetworkError(.responseTooLarge, "the body is larger than \(limit) bytes")
        }
        if let download = request.download {
            guard download.takes(response) else { return response }
            return try download.finish(download.receive(data, of: response), of: response).response
        }
        guard response.isAcceptable, case .file(let url) = request.delivery else { return response }
        var response = response
        try FileDelivery(to: url).write(data)
        response.body = .file(url)
        return response
    }

    /// Ends the attempt wherever it is.
    private func end(_ error: NetworkError) {
        let (direct, stream) = body.withLock { body in
            body.failure = error
            return (body.direct, body.stream)
        }
        direct?.stop(with: error)
        stream?.end(with: .failed(described(error, .body)))
    }

    /// The response as one to this request, whose body the attempt's end reaches.
    @inline(never)  // Nor is it kept on the heap then, with the temporaries of what waits.
    private func adopted(_ response: consuming NetworkResponse) -> NetworkResponse {
        response.request = request
        if let stream = response.body.stream { follow(stream) }
        return response
    }

    /// Lets the attempt's end reach the body.
    private func follow(_ stream: BodyStream) {
        stream.describeErrors { [self] in described($0, .body) }
        let failure = body.withLock { body in
            body.stream = stream
            return body.failure
        }
        if let failure { stream.end(with: .failed(described(failure, .body))) }
    }

    private func described(
        _ error: any Error,
        _ step: NetworkError.Step,
        _ response: NetworkResponse? = nil
    ) -> NetworkError {
        NetworkError(
            error,
            in: send,
            step: step,
            request: request,
            response: response,
            attempts: context.attempt
        )
    }
}

extension NetworkResponse {
    /// Takes what became known with the end of the body.
    fileprivate mutating func take(_ epilogue: BodyEpilogue?) {
        guard let epilogue else { return }
        trailers = epilogue.trailers
        if let metrics = epilogue.metrics { self.metrics = metrics }
    }
}
