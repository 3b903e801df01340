#if canImport(Glibc)
    import Foundation

    /// What a transfer hands over at the end of a turn of the loop: all that came in it, at once.
    extension CurlTransfer {
        /// Hands over what has come since the last time.
        func deliver() {
            state.isTouched = false
            guard let exchange = state.exchange else { return }
            if exchange.isMonitored { tellProgress(of: exchange) }
            if let pipe = state.pipe {
                deliver(into: pipe, of: exchange)
            } else {
                deliverAnswer(to: exchange)
            }
            if state.end != nil { release(exchange) }
        }

        private func deliverAnswer(to exchange: CurlExchange) {
            switch state.end {
            case .success where exchange.isProbe:
                exchange.resolve(.success(answer(.chain(state.chain))), isWhole: true)
            case .success where state.upgrade?.isSwitched != true:
                exchange.resolve(.success(answer(.whole(state.body))), isWhole: true)
            case .failure(let error) where !state.head.isComplete:
                exchange.resolve(.failure(error), isWhole: true)
            default:
                guard state.head.isComplete else { return }
                if state.end == nil { measure() }
                let pipe = makePipe(for: exchange)
                state.pipe = pipe
                // Before the answer, or the pipe would have a reader that writes to it too.
                exchange.resolve(.success(answer(.stream(pipe))), isWhole: false)
                deliver(into: pipe, of: exchange)
            }
        }

        private func makePipe(for exchange: CurlExchange) -> BodyPipe {
            // What is gathered has a limit of its own, and holding it would hold up the others on its connection.
            let isMultiplexed = pool.key.isShared && state.head.version == .http2
            return BodyPipe(
                highWaterMark: isMultiplexed ? .max : loop.configuration.readAhead,
                onDemand: { exchange.resumeReading() },
                onCancel: { exchange.cancel() }
            )
        }

        private func deliver(into pipe: BodyPipe, of exchange: CurlExchange) {
            let mayGoOn = pipe.write(state.body)
            state.body = Data()
            switch state.end {
            case nil:
                guard !mayGoOn, !state.isHeld else { return }
                state.isHeld = true
                applyPauses()
            case .success:
                exchange.finish(with: epilogue)
                pipe.finish()
            case .failure(let error):
                exchange.finish(with: epilogue)
                pipe.finish(throwing: error)
            }
        }

        private var epilogue: BodyEpilogue {
            BodyEpilogue(trailers: HTTPHeaders(lines: state.head.trailers), metrics: state.metrics)
        }

        private func answer(_ body: CurlAnswer.Body) -> CurlAnswer {
            CurlAnswer(state.head, body: body, metrics: state.metrics)
        }

        /// Lets go of the exchange, and of the handle unless libcurl is not done with it.
        private func release(_ exchange: CurlExchange) {
            exchange.transfer = nil
            exchange.outbox?.end(with: outboxFailure)
            loop.ended(exchange)
            if state.lingers { state.exchange = nil } else { reset() }
        }

        /// What those are told who wait for their bytes to be sent, or write more.
        private var outboxFailure: NetworkError {
            if case .failure(let error) = state.end { return error }
            return NetworkError(.connectionLost, "the server has closed the connection")
        }

        // MARK: Progress

        /// How often progress is told: twice as often as callers are, so that they are not kept waiting for the next turn.
        static let progressInterval: UInt64 = 50_000_000

        private func tellProgress(of exchange: CurlExchange) {
            // A request that goes out once more begins anew, and what was told must not fall.
            let sent = max(state.sent, state.toldSent)
            guard state.received > 0 || sent > 0 else { return }
            guard state.end != nil || loop.now - state.lastProgress >= Self.progressInterval else { return }
            state.lastProgress = loop.now
            state.toldSent = sent
            exchange.note(
                .progress(
                    AttemptProgress(
                        bytesSent: sent,
                        bytesToSend: exchange.upload.length,
                        bytesReceived: state.received,
                        bytesToReceive: state.head.codings == 0 ? state.head.announcedLength : nil
                    )
                )
            )
        }
    }
#endif
