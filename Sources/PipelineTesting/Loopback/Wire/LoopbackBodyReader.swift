import Foundation

/// Reads the body of one request, at the pace it is told, and takes its transfer coding off.
struct LoopbackBodyReader {
    let input: LoopbackInput
    let waiter: LoopbackWaiter
    let reading: LoopbackReading
    let keepsBody: Bool

    /// Reads to the end of the body and puts what it finds into the request.
    func read(_ framing: LoopbackRequestHead.Framing, into request: inout LoopbackRequest) throws {
        if framing == .none { return }
        if case .gated(let gate) = reading.pace {
            waiter.socket.limitReceiveBuffer()
            try waiter.wait(at: gate)
        } else if case .paced = reading.pace {
            waiter.socket.limitReceiveBuffer()
        }
        input.isRecording = keepsBody && input.isRecording
        switch framing {
        case .none:
            break
        case .length(let count):
            if keepsBody {
                // No more than a plausible part of a length that the client may only claim.
                request.body.reserveCapacity(min(count, 1024 * 1024))
            }
            try read(count, into: &request)
        case .chunked:
            while let size = try readChunkSize() {
                try read(size, into: &request)
                guard try input.readLine().isEmpty else {
                    throw LoopbackMalformedRequest("a chunk is longer than its size says")
                }
            }
            request.trailers = try input.readTrailers()
        }
    }

    /// Reads the line before a chunk. Nil for the last one.
    private func readChunkSize() throws -> Int? {
        let line = try input.readLine()
        let digits = line.prefix { $0 != ";" }
        guard let first = digits.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
            let size = Int(digits, radix: 16)
        else {
            throw LoopbackMalformedRequest("a chunk size is not a hexadecimal number")
        }
        return size == 0 ? nil : size
    }

    private func read(_ count: Int, into request: inout LoopbackRequest) throws {
        var rest = count
        var body = Data()
        swap(&body, &request.body)  // So that appending never copies.
        defer { swap(&body, &request.body) }
        while rest > 0 {
            var limit = rest
            if case .paced(let bytes, _) = reading.pace { limit = min(rest, bytes) }
            let taken = try input.take(upTo: limit) { bytes in
                if keepsBody { body.append(contentsOf: bytes) }
                return bytes.count
            }
            guard let taken else { throw LoopbackConnectionEnded(.closedByClient) }
            rest -= taken
            request.bodyByteCount += taken
            if rest > 0, case .paced(_, let pause) = reading.pace {
                try waiter.wait(for: pause, noticesFinish: false)
            }
        }
    }
}
