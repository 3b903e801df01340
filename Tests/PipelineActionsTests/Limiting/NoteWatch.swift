import Pipeline

/// A monitor whose notes a test can wait for, as "ACTION: NOTE", in their order.
final class NoteWatch: EventMonitor {
    private let stream: AsyncStream<String>
    private let source: AsyncStream<String>.Continuation

    init() {
        (stream, source) = AsyncStream.makeStream()
    }

    func record(_ event: SendEvent) {
        if case .note(let action, let note) = event.kind { source.yield("\(action): \(note)") }
    }

    /// Waits for the next note.
    func next() async -> String {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next() ?? ""
    }

    /// Waits for a note that holds a text.
    func next(with text: String) async {
        for await note in stream where note.contains(text) { return }
    }
}
