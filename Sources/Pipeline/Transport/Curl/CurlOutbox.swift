#if canImport(Glibc)
    package import Foundation

    /// What waits to be sent over a connection that has left HTTP: written on any thread, taken by the loop's.
    package final class CurlOutbox: Sendable {
        private struct State: Sendable {
            var chunks: [Data] = []
            var first = 0
            /// Whether the loop found nothing, so that it must be told.
            var isHungry = false
            var isOver = false
        }

        /// How many bytes have not been handed to the system, those in the loop's hands included.
        package let meter = SendMeter()

        private let state = Locked(State())

        package init() {}

        /// Puts bytes behind the others.
        ///
        /// - Returns: Whether the loop must be told.
        package func append(_ bytes: Data) -> Bool {
            meter.add(bytes.count)
            return state.withLock { state in
                guard !state.isOver, !bytes.isEmpty else { return false }
                state.chunks.append(bytes)
                defer { state.isHungry = false }
                return state.isHungry
            }
        }

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

        /// Ends it: what waits is not sent any more.
        package func end(with failure: NetworkError) {
            state.withLock { state in
                state.isOver = true
                state.chunks = []
                state.first = 0
            }
            meter.end(with: failure)
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

        var unsent: Int { outbox.meter.waiting }

        func drain(to count: Int) async throws { try await outbox.meter.drain(to: count) }
    }
#endif
