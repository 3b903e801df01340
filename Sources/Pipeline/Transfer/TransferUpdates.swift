/// What becomes of a send: how far its bodies get, and in the end the value.
///
/// Made by ``Network/updates(of:priority:)``. A reader that is slower than the send is given the latest progress of each
/// direction, not all there was, and never misses the value. Letting go of the iterator before the end cancels the send, and
/// so does cancelling the task that reads.
public struct TransferUpdates<Value: Sendable>: AsyncSequence, Sendable {
    /// One thing that becomes of a send.
    public enum Update: Sendable {
        /// Bytes have moved.
        case progress(TransferProgress)
        /// The send has succeeded, with this value. Nothing follows.
        case finished(Value)
    }

    public typealias Element = Update

    private let start: @Sendable () -> any RunningTransfer<Value>

    init(_ start: @escaping @Sendable () -> any RunningTransfer<Value>) {
        self.start = start
    }

    /// Prepares a send, which begins when the iterator is asked for the first update.
    public func makeAsyncIterator() -> Iterator { Iterator(start) }

    /// Reads ``TransferUpdates``.
    public struct Iterator: AsyncIteratorProtocol {
        private let reading: Reading

        fileprivate init(_ start: @escaping @Sendable () -> any RunningTransfer<Value>) {
            reading = Reading(start)
        }

        /// Waits for what happens next.
        ///
        /// - Returns: What has happened, or `nil` after the value or an error.
        /// - Throws: ``NetworkError`` for everything that can go wrong, cancellation included.
        public mutating func next() async throws -> Update? { try await read() }

        /// Lets the send begin, though nobody waits for an update yet.
        func begin() { reading.begin() }

        /// ``next()`` with the type of what it throws.
        func read() async throws(NetworkError) -> Update? { try await reading.next() }
    }

    /// What an iterator holds, and lets go of with it.
    private final class Reading {
        private enum Step {
            case begin(@Sendable () -> any RunningTransfer<Value>)
            case read(any RunningTransfer<Value>)
            case end
        }

        private var step: Step

        init(_ start: @escaping @Sendable () -> any RunningTransfer<Value>) {
            step = .begin(start)
        }

        deinit {
            if case .read(let transfer) = step { transfer.stop() }
        }

        func begin() {
            if case .begin(let start) = step { step = .read(start()) }
        }

        func next() async throws(NetworkError) -> Update? {
            begin()
            guard case .read(let transfer) = step else { return nil }
            if let progress = await transfer.next() { return .progress(progress) }
            step = .end
            return .finished(try await transfer.value())
        }
    }
}
