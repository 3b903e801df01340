#if canImport(Glibc)
    package import Foundation

    /// What waits to be sent over a connection that has left HTTP: written on any thread, taken by the loop's.
    package final class CurlOutbox: Sendable {
        private struct State: Sendable {
            var chunks: [Data] = []
            var first = 0
            /// How many bytes have not been handed to the system, those in the loop's hands included.
            var waiting = 0
            /// Whether the loop found nothing, so that it must be told.
            var isHungry = false
            var failure: NetworkError?
            var drains: [Int: Drain] = [:]
            var lastDrain = 0

            /// What kept bytes from being sent, if something did. The end of a connection is none to those whose bytes had left.
            var lossFailure: NetworkError? { waiting > 0 ? failure : nil }
        }

        private struct Drain: Sendable {
            let count: Int
            let end: OneShot<Bool>
        }

        private let state = Locked(State())

        package init() {}

        // MARK: Any thread

        /// Puts bytes behind the others.
        ///
        /// - Returns: Whether the loop must be told.
        package func append(_ bytes: Data) -> Bool {
            state.withLock { state in
                // What comes too late waits for ever, as whoever waits for it is told.
                state.waiting += bytes.count
                guard state.failure == nil, !bytes.isEmpty else { return false }
                state.chunks.append(bytes)
                defer { state.isHungry = false }
                return state.isHungry
            }
        }

        /// Waits until no more than so many bytes wait.
        package func drain(to count: Int) async throws(NetworkError) {
            let end = OneShot<Bool>()
            let number = try state.withLock { state -> Result<Int?, NetworkError> in
                if let failure = state.lossFailure { return .failure(failure) }
                if state.waiting <= count { return .success(nil) }
                state.lastDrain += 1
                state.drains[state.lastDrain] = Drain(count: count, end: end)
                return .success(state.lastDrain)
            }.get()
            guard let number else { return }
            let isOver = await withTaskCancellationHandler {
                await end.value()
            } onCancel: {
                end.resolve(false)
            }
            guard !isOver else {
                return try state.withLock { $0.lossFailure.map(Result.failure) ?? .success(()) }.get()
            }
            state.withLock { _ = $0.drains.removeValue(forKey: number) }
            throw NetworkError(.cancelled)
        }

        // MARK: The loop's thread

        /// Copies the next bytes, and remembers if there are none.
        package func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            state.withLock { state in
                var count = 0
                while count < buffer.count, state.first < state.chunks.count {
                    let chunk = state.chunks[state.first]
                    let taken = chunk.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
                    count += taken
                    if taken < chunk.count {
                        state.chunks[state.first] = chunk.dropFirst(taken)
                    } else {
                        state.chunks[state.first] = Data()
                        state.first += 1
                    }
                }
                if state.first == state.chunks.count {
                    state.chunks.removeAll(keepingCapacity: state.first < 64)
                    state.first = 0
                }
                if count == 0 { state.isHungry = true }
                return count
            }
        }

        /// Notes that bytes were handed to the system.
        package func sent(_ count: Int) {
            let due = state.withLock { state -> [Drain] in
                state.waiting -= count
                let due = state.drains.filter { $0.value.count >= state.waiting }
                for number in due.keys { state.drains[number] = nil }
                return Array(due.values)
            }
            for drain in due { drain.end.resolve(true) }
        }

        /// Ends it: what waits is not sent any more.
        package func end(with failure: NetworkError) {
            let drains = state.withLock { state -> [Drain] in
                if state.failure == nil { state.failure = failure }
                state.chunks = []
                state.first = 0
                defer { state.drains = [:] }
                return Array(state.drains.values)
            }
            for drain in drains { drain.end.resolve(true) }
        }
    }

    /// A connection that has left HTTP, as those who use it see it.
    struct CurlUpgradedConnection: UpgradedConnection {
        let body: CurlBodySource
        let outbox: CurlOutbox

        func next() async throws -> Data? { try await body.next() }

        func cancel() { body.cancel() }

        var epilogue: BodyEpilogue? { body.epilogue }

        func write(_ bytes: Data) {
            if outbox.append(bytes) { body.exchange.resumeSending() }
        }

        func drain(to count: Int) async throws { try await outbox.drain(to: count) }
    }
#endif
