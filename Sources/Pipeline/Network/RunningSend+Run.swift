import Foundation

extension RunningSend {
    /// Runs a send: build, chain, status, decode. It ends once, with a response whose value was read, or with an error.
    @concurrent
    func run(_ reader: any ResponseReading, priority: TaskPriority?, parent: SendContext?) async -> Outcome {
        let (built, context) = build(reader.request, priority: priority, parent: parent)
        switch built {
        case .failure(let error):
            return .failure(end(with: error, context))
        case .success(let (networkRequest, itinerary)):
            context.report(.began(networkRequest))
            var chain = Chain(self, context: context, itinerary: itinerary, request: networkRequest)
            let outcome = await chain.run()
            do {
                let response = try accept(outcome, sent: networkRequest, context)
                try await read(response, with: reader, context)
                end(with: response, context)
                return .success(response)
            } catch {
                return .failure(end(with: error.adding(chain.refusal, mayHaveReached: chain.mayHaveReached), context))
            }
        }
    }

    /// Reads the value.
    private func read(
        _ response: NetworkResponse,
        with reader: any ResponseReading,
        _ context: SendContext
    ) async throws(NetworkError) {
        do {
            try await reader.read(response)
            if let stopReason { throw stopReason }
        } catch {
            throw undecoded(error, response, context)
        }
    }

    /// Takes the response that is to be read.
    ///
    /// Like what else does not wait, it is not inlined into what does, whose temporaries are kept on the heap.
    @inline(never)
    private func accept(
        _ outcome: Outcome,
        sent: NetworkRequest,
        _ context: SendContext
    ) throws(NetworkError) -> NetworkResponse {
        let response: NetworkResponse
        do { response = try outcome.get() } catch { throw described(error, .transport, sent, context) }
        // A connection that has left HTTP may stay open for as long as it likes.
        if response.body.stream == nil || response.status == .switchingProtocols { liftLimit() }
        guard response.isAcceptable else {
            throw described(NetworkError(.unacceptableStatus), .status, response.request, context, response)
        }
        enter(.decoding)
        return response
    }

    @inline(never)
    private func undecoded(_ error: any Error, _ response: NetworkResponse, _ context: SendContext) -> NetworkError {
        response.body.stream?.end(with: .abandoned)
        return described(error, .decode, response.request, context, response)
    }

    private func described(
        _ error: any Error,
        _ step: NetworkError.Step,
        _ request: NetworkRequest,
        _ context: SendContext,
        _ response: NetworkResponse? = nil
    ) -> NetworkError {
        NetworkError(error, in: self, step: step, request: request, response: response, attempts: context.attempt)
    }

    // MARK: The end

    private func end(with error: NetworkError, _ context: SendContext) -> NetworkError {
        context.report(.ended(.failure(error)))
        finish()
        return error
    }

    /// Ends the send, or leaves that to the stream if the caller reads one.
    private func end(with response: NetworkResponse, _ context: SendContext) {
        context.report(.ended(.success(response)))
        guard let stream = response.body.stream else { return finish() }
        leaveToStream()
        stream.onEnd { end in
            context.report(.streamEnded(end))
            self.finish()
        }
    }
}

extension NetworkError {
    /// This error with what the whole send knows: the retry that was refused before it, and whether any attempt can have
    /// reached a server.
    fileprivate func adding(_ refusal: RetryRefusal?, mayHaveReached: Bool) -> NetworkError {
        var error = self
        if let refusal { error.details.refusedRetry = refusal }
        if mayHaveReached, reach == .no { error.details.reach = .maybe }
        return error
    }
}
