#if canImport(Glibc)
    import Foundation

    /// Brings the chunks of a streamed body to the event loop: a task makes one while the one before is being sent.
    final class CurlBodyPump: CurlUploadReader, Sendable {
        private struct State: Sendable {
            var chunk = Data()
            var isEnded = false
            var failure: NetworkError?
            /// Whether the loop found nothing to read.
            var isHungry = false
            /// The task, when it waits for its chunk to be taken.
            var maker: OneShot<Void>?
            var task: Task<Void, Never>?
        }

        private let state = Locked(State())
        private let onBytes: @Sendable () -> Void

        /// - Parameter length: What is announced to the server.
        init(_ body: RequestBody, length: Int?, onBytes: @escaping @Sendable () -> Void) {
            self.onBytes = onBytes
            let task = Task { await run(body, announcing: length) }
            let isOver = state.withLock { state in
                if !state.isEnded { state.task = task }
                return state.isEnded
            }
            if isOver { task.cancel() }
        }

        // MARK: The task's side

        @concurrent
        private func run(_ body: RequestBody, announcing length: Int?) async {
            do {
                var chunks = try body.makeChunks(announcing: length)
                while let chunk = try await chunks.next() {
                    guard chunk.isEmpty else {
                        guard await put(chunk) else { return }
                        continue
                    }
                }
                end(with: nil)
            } catch let error as NetworkError {
                end(with: error)
            } catch {
                end(with: NetworkError(.encodingFailed, "the body stream threw", underlying: error))
            }
        }

        /// Hands a chunk over and waits until it is taken.
        ///
        /// - Returns: Whether another is wanted.
        private func put(_ chunk: Data) async -> Bool {
            let taken = OneShot<Void>()
            let (isWanted, wasHungry) = state.withLock { state in
                guard !state.isEnded else { return (false, false) }
                state.chunk = chunk
                state.maker = taken
                defer { state.isHungry = false }
                return (true, state.isHungry)
            }
            guard isWanted else { return false }
            if wasHungry { onBytes() }
            await taken.value()
            return state.withLock { !$0.isEnded }
        }

        private func end(with failure: NetworkError?) {
            let wasHungry = state.withLock { state in
                guard !state.isEnded else { return false }
                state.isEnded = true
                state.failure = failure
                state.task = nil
                return state.isHungry
            }
            if wasHungry { onBytes() }
        }

        // MARK: The loop's side

        func read(into buffer: UnsafeMutableRawBufferPointer) -> CurlUploadStep {
            let (step, maker) = state.withLock { state -> (CurlUploadStep, OneShot<Void>?) in
                guard !state.chunk.isEmpty else {
                    if let failure = state.failure { return (.failed(failure), nil) }
                    if state.isEnded { return (.end, nil) }
                    state.isHungry = true
                    return (.wait, nil)
                }
                let count = state.chunk.copyBytes(to: buffer)
                state.chunk = count == state.chunk.count ? Data() : state.chunk.dropFirst(count)
                return (.bytes(count), state.chunk.isEmpty ? state.maker.take() : nil)
            }
            maker?.resolve(())
            return step
        }

        func close() {
            let (task, maker) = state.withLock { state in
                state.isEnded = true
                state.chunk = Data()
                return (state.task.take(), state.maker.take())
            }
            task?.cancel()
            maker?.resolve(())
        }
    }
#endif
