import Pipeline

/// Replies that are given one after the other, the last one for ever.
final class LoopbackTurns: Sendable {
    private let replies: [LoopbackReply]
    private let given = Locked(0)

    init(_ replies: [LoopbackReply]) {
        self.replies = replies
    }

    func next() -> LoopbackReply {
        let index = given.withLock { given in
            defer { given += 1 }
            return given
        }
        return replies[min(index, replies.count - 1)]
    }
}
