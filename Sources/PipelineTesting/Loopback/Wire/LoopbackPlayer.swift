import Foundation

/// Plays the steps of replies on one connection.
///
/// Bytes gather in a buffer and go out in one write before a wait and at the end. Belongs to the connection's thread.
final class LoopbackPlayer {
    /// What becomes of the connection after a reply.
    enum Outcome {
        /// No step decided.
        case undecided
        case keepOpen
        case close
        case reset
    }

    /// What the request says about the reply to it.
    struct Terms {
        /// The answer to a HEAD request has no body.
        var isHead = false
        /// The server is going to close, and the head should say so.
        var closes = false
        /// An HTTP/1.0 client has to be told that the connection stays open.
        var announcesKeepAlive = false
    }

    /// Larger pieces are sent from where they are, without being copied together first.
    private static let bufferBytes = 64 * 1024

    private let socket: LoopbackSocket
    private let input: LoopbackInput
    private let waiter: LoopbackWaiter
    private var output: [UInt8] = []

    /// Whether the last reply's head says `Connection: close`.
    private(set) var saidClose = false

    init(_ socket: LoopbackSocket, input: LoopbackInput, waiter: LoopbackWaiter) {
        self.socket = socket
        self.input = input
        self.waiter = waiter
        output.reserveCapacity(4096)
    }

    /// Plays the steps up to the first that ends the connection, and sends everything but what comes after it.
    func play(_ steps: [LoopbackStep], _ terms: Terms = Terms()) throws -> Outcome {
        var outcome = Outcome.undecided
        var leavesBodyOut = false
        saidClose = false
        let keepsOpen = steps.contains { if case .keepOpen = $0.kind { true } else { false } }
        loop: for step in steps {
            switch step.kind {
            case .head(let head):
                var terms = terms
                terms.closes = terms.closes && !keepsOpen
                write(head, terms)
                leavesBodyOut = terms.isHead
            case .interim(let head):
                output += head.bytes
                output += "\r\n".utf8
                try flush()
            case .bytes(let data):
                if !leavesBodyOut { try write(data) }
            case .repeating(let data, let count):
                if !leavesBodyOut { try write(data, count: count) }
            case .chunk(let data):
                if !leavesBodyOut && !data.isEmpty {
                    output += "\(String(data.count, radix: 16))\r\n".utf8
                    try write(data)
                    output += "\r\n".utf8
                }
            case .lastChunk(let trailers):
                if !leavesBodyOut {
                    let fields = trailers.map { "\($0.name): \($0.value)\r\n" }
                    output += "0\r\n\(fields.joined())\r\n".utf8
                }
            case .delay(let duration):
                try flush()
                try waiter.wait(for: duration, noticesFinish: true)
            case .wait(let gate):
                try flush()
                try waiter.wait(at: gate)
            case .converse(let body):
                try flush()
                try body(LoopbackStream(socket, input: input))
            case .keepOpen:
                outcome = .keepOpen
            case .close:
                outcome = .close
                break loop
            case .reset:
                outcome = .reset
                break loop
            }
        }
        try flush()
        return outcome
    }

    private func write(_ head: LoopbackResponseHead, _ terms: Terms) {
        output += head.bytes
        if terms.closes && !head.saysClose {
            output += "Connection: close\r\n".utf8
        } else if terms.announcesKeepAlive && !head.saysClose {
            output += "Connection: keep-alive\r\n".utf8
        }
        output += "\r\n".utf8
        saidClose = head.saysClose
    }

    private func write(_ data: Data) throws {
        try data.withUnsafeBytes { bytes in
            if output.count + bytes.count <= Self.bufferBytes {
                output.append(contentsOf: bytes)
            } else {
                try flush()
                try socket.send(bytes)
            }
        }
    }

    private func write(_ data: Data, count: Int) throws {
        guard !data.isEmpty && count > 0 else { return }
        // Blocks of at least four buffers keep the number of system calls small.
        let copies = min(count, max(1, 4 * Self.bufferBytes / data.count))
        var block = Data(capacity: copies * data.count)
        for _ in 0..<copies { block.append(data) }
        for _ in 0..<(count / copies) { try write(block) }
        try write(block.prefix(count % copies * data.count))
    }

    private func flush() throws {
        guard !output.isEmpty else { return }
        try output.withUnsafeBytes { try socket.send($0) }
        output.removeAll(keepingCapacity: true)
    }
}
