#if canImport(Glibc)
    import Foundation
    import Pipeline
    import Testing

    @Suite(.timeLimit(.minutes(1)))
    struct CurlOutboxTests {
        private func take(_ outbox: CurlOutbox, _ size: Int) -> String {
            var buffer = [UInt8](repeating: 0, count: size)
            let count = buffer.withUnsafeMutableBytes { outbox.take(into: $0) }
            return String(decoding: buffer[..<count], as: UTF8.self)
        }

        @Test func `gives bytes in order, in pieces of any size`() {
            let outbox = CurlOutbox()
            for text in ["abc", "", "de", "fghij"] { _ = outbox.append(Data(text.utf8)) }
            #expect(take(outbox, 4) == "abcd")
            #expect(take(outbox, 2) == "ef")
            #expect(take(outbox, 100) == "ghij")
            #expect(take(outbox, 100) == "")
        }

        @Test func `says that the loop must be told only after it found nothing`() {
            let outbox = CurlOutbox()
            #expect(!outbox.append(Data([1])))
            _ = take(outbox, 10)
            #expect(!outbox.append(Data([2])))
            _ = take(outbox, 10)
            _ = take(outbox, 10)
            #expect(outbox.append(Data([3])))
            #expect(!outbox.append(Data([4])))
        }

        @Test func `has those wait who are ahead, until enough has left`() async throws {
            let outbox = CurlOutbox()
            _ = outbox.append(Data(count: 10))
            try await outbox.drain(to: 10)
            let waiting = Task { try await outbox.drain(to: 4) }
            outbox.sent(5)
            outbox.sent(1)
            try await waiting.value
        }

        @Test func `tells of the end those whose bytes had not left`() async throws {
            let outbox = CurlOutbox()
            _ = outbox.append(Data(count: 10))
            let waiting = Task { try await outbox.drain(to: 0) }
            outbox.sent(9)
            outbox.end(with: NetworkError(.connectionLost))
            await #expect(throws: NetworkError.self) { try await waiting.value }
            await #expect(throws: NetworkError.self) { try await outbox.drain(to: 64) }

            let other = CurlOutbox()
            _ = other.append(Data(count: 10))
            other.sent(10)
            other.end(with: NetworkError(.connectionLost))
            try await other.drain(to: 0)
            _ = other.append(Data(count: 1))
            let late = await #expect(throws: NetworkError.self) { try await other.drain(to: 64) }
            #expect(late?.code == .connectionLost)
        }

        @Test func `ends a wait with its task`() async {
            let outbox = CurlOutbox()
            _ = outbox.append(Data(count: 10))
            let waiting = Task { try await outbox.drain(to: 0) }
            waiting.cancel()
            let error = await #expect(throws: NetworkError.self) { try await waiting.value }
            #expect(error?.isCancellation == true)
        }
    }
#endif
