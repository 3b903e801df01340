#if canImport(Glibc)
    import Foundation
    import Pipeline
    import Testing

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

        @Test func `gives nothing after its end, and says that what comes is lost`() async {
            let outbox = CurlOutbox()
            _ = outbox.append(Data([1]))
            outbox.end(with: NetworkError(.connectionLost))
            #expect(!outbox.append(Data([2])))
            #expect(take(outbox, 10) == "")
            let error = await #expect(throws: NetworkError.self) { try await outbox.meter.drain(to: 64) }
            #expect(error?.code == .connectionLost)
        }
    }
#endif
