public import Foundation

/// A buffer between a transport that pushes bytes and a ``BodyStream`` that pulls them.
///
/// The transport writes with ``write(_:)`` and ends with ``finish(throwing:)``. When the reader falls behind, `write` says
/// so and the transport holds its transfer until `onDemand` is called.
public final class BodyPipe: BodySource {
    fileprivate struct State: Sendable {
        var chunks: [Data] = []
        var first = 0
        var buffered = 0
        var isHeld = false
        var isFinished = false
        var failure: (any Error)?
        var reader: OneShot<Void>?
    }

    private let state = Locked(State())
    private let highWaterMark: Int
    private let onDemand: @Sendable () -> Void
    private let onCancel: @Sendable () -> Void

    /// Creates a pipe.
    ///
    /// - Parameters:
    ///   - highWaterMark: How many bytes may wait before ``write(_:)`` asks the transport to hold. 256 KiB by default.
    ///   - onDemand: Called when a transfer that was asked to hold should go on.
    ///   - onCancel: Called when the reader gives up. It must be quick and may be called more than once.
    public init(
        highWaterMark: Int = 256 * 1024,
        onDemand: @escaping @Sendable () -> Void = {},
        onCancel: @escaping @Sendable () -> Void = {}
    ) {
        self.highWaterMark = highWaterMark
        self.onDemand = onDemand
        self.onCancel = onCancel
    }

    /// Adds bytes. Those that come after the end are dropped.
    ///
    /// - Returns: Whether the transfer may go on. If not, `onDemand` will be called once there is room.
    @discardableResult
    public func write(_ chunk: Data) -> Bool {
        guard !chunk.isEmpty else { return true }
        let (mayGoOn, reader) = state.withLock { state -> (Bool, OneShot<Void>?) in
            guard !state.isFinished else { return (true, nil) }
            state.chunks.append(chunk)
            state.buffered += chunk.count
            // A transfer that was told to hold stays told until `onDemand`, also if a late chunk finds some room.
            if state.buffered >= highWaterMark { state.isHeld = true }
            return (!state.isHeld, state.reader.take())
        }
        reader?.resolve(())
        return mayGoOn
    }

    /// Whether the transfer was asked to hold and not yet to go on.
    var isHeld: Bool { state.withLock { $0.isHeld } }

    /// Ends the body.
    ///
    /// - Parameter error: What broke it off; `nil` if it is whole. Bytes written before are still delivered.
    public func finish(throwing error: (any Error)? = nil) {
        let reader = state.withLock { state -> OneShot<Void>? in
            guard !state.isFinished else { return nil }
            state.isFinished = true
            state.failure = error
            return state.reader.take()
        }
        reader?.resolve(())
    }

    public func next() async throws -> Data? {
        while true {
            let step = try state.withLock { state throws -> Step in
                if state.first < state.chunks.count { return state.takeFirst(lowWaterMark: highWaterMark / 2) }
                if state.isFinished {
                    if let failure = state.failure { throw failure }
                    return .end
                }
                precondition(state.reader == nil, "a BodyPipe has one reader")
                let reader = OneShot<Void>()
                state.reader = reader
                return .wait(reader)
            }
            switch step {
            case .chunk(let chunk, let resumes):
                if resumes { onDemand() }
                return chunk
            case .end:
                return nil
            case .wait(let reader):
                await reader.value()
            }
        }
    }

    public func cancel() {
        let reader = state.withLock { state -> OneShot<Void>? in
            state.chunks = []
            state.first = 0
            state.buffered = 0
            if !state.isFinished {
                state.isFinished = true
                state.failure = CancellationError()
            }
            return state.reader.take()
        }
        reader?.resolve(())
        onCancel()
    }

    fileprivate enum Step: Sendable {
        case chunk(Data, resumes: Bool)
        case end
        case wait(OneShot<Void>)
    }
}

extension BodyPipe.State {
    fileprivate mutating func takeFirst(lowWaterMark: Int) -> BodyPipe.Step {
        let chunk = chunks[first]
        chunks[first] = Data()
        first += 1
        if first == chunks.count {
            chunks.removeAll(keepingCapacity: true)
            first = 0
        }
        buffered -= chunk.count
        let resumes = isHeld && buffered <= lowWaterMark
        if resumes { isHeld = false }
        return .chunk(chunk, resumes: resumes)
    }
}
