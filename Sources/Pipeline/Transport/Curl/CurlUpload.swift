#if canImport(Glibc)
    import Foundation

    /// The body of a request as the event loop reads it: bytes, a file, or chunks that a task brings.
    struct CurlUpload: Sendable {
        private enum Content: Sendable {
            case bytes(Data)
            case file(BodyFile)
            case chunks(RequestBody)
        }

        private let content: Content?

        /// How many bytes there will be; `nil` if nobody knows.
        let length: Int?

        /// Whether there is nothing to send.
        var isEmpty: Bool { content == nil }

        /// Takes a body.
        ///
        /// - Throws: ``NetworkError`` `file-failed` if its file cannot be opened or is no plain one: a pipe can make its reader
        ///   wait, and the event loop must not.
        init(_ body: RequestBody) throws(NetworkError) {
            if let data = body.data {
                content = data.isEmpty ? nil : .bytes(data)
                length = data.count
            } else if let url = body.file {
                let file = try BodyFile(url)
                content = file.length == 0 ? nil : .file(file)
                length = file.length
            } else {
                content = body.isEmpty ? nil : .chunks(body)
                length = body.isEmpty ? 0 : body.length
            }
        }

        /// Begins to read, from the first byte on.
        ///
        /// - Parameter onBytes: Called when there is something to read after there was nothing, on any thread.
        func open(onBytes: @escaping @Sendable () -> Void) -> any CurlUploadReader {
            switch content {
            case nil: BytesReader(Data())
            case .bytes(let data): BytesReader(data)
            case .file(let file): FileReader(file)
            case .chunks(let body): CurlBodyPump(body, length: length, onBytes: onBytes)
            }
        }
    }

    /// Where the event loop reads a body from. Only its thread does.
    protocol CurlUploadReader {
        /// Copies the next bytes.
        func read(into buffer: UnsafeMutableRawBufferPointer) -> CurlUploadStep

        /// Stops what makes the bytes.
        func close()
    }

    extension CurlUploadReader {
        func close() {}
    }

    /// What came of reading a body.
    enum CurlUploadStep {
        case bytes(Int)
        case end
        /// There is nothing yet.
        case wait
        case failed(NetworkError)
    }

    private final class BytesReader: CurlUploadReader {
        private let data: Data
        private var position = 0

        init(_ data: Data) { self.data = data }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> CurlUploadStep {
            let count = min(buffer.count, data.count - position)
            guard count > 0 else { return .end }
            let start = data.startIndex + position
            data.copyBytes(to: buffer, from: start..<(start + count))
            position += count
            return .bytes(count)
        }
    }

    private final class FileReader: CurlUploadReader {
        private let file: BodyFile
        private var position = 0

        init(_ file: BodyFile) { self.file = file }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> CurlUploadStep {
            do throws(NetworkError) {
                let count = try file.read(into: buffer, at: position)
                position += count
                return count == 0 ? .end : .bytes(count)
            } catch {
                return .failed(error)
            }
        }
    }
#endif
