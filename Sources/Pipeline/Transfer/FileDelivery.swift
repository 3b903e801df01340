import Foundation

/// Writes the body of a response to a file that appears when it is whole.
///
/// Until then the bytes stand in a hidden file beside it. Only the owner can read either. What was at the place before is
/// replaced in one step; a link there is replaced, not followed. What is no file, a folder, a device or a pipe, is refused.
struct FileDelivery {
    private let target: URL
    private let partial: URL

    init(to target: URL) {
        self.target = target
        let name = ".\(target.lastPathComponent).\(UUID().uuidString).partial"
        partial = target.deletingLastPathComponent().appendingPathComponent(name)
    }

    func write(_ stream: BodyStream) async throws(NetworkError) {
        let file = try create()
        do {
            var iterator = stream.makeAsyncIterator()
            while let chunk = try await iterator.nextChunk() { try file.write(contentsOf: chunk) }
            try file.close()
            try publish()
        } catch {
            try? FileManager.default.removeItem(at: partial)
            throw (error as? NetworkError) ?? failure(error)
        }
    }

    func write(_ data: Data) throws(NetworkError) {
        let file = try create()
        do {
            try file.write(contentsOf: data)
            try file.close()
            try publish()
        } catch {
            try? FileManager.default.removeItem(at: partial)
            throw failure(error)
        }
    }

    private func create() throws(NetworkError) -> FileHandle {
        do { return try PrivateFile(partial).create() } catch { throw failure(error) }
    }

    private func publish() throws {
        // In the place of a device the file would be all that is left of it.
        let kind = try? FileManager.default.attributesOfItem(atPath: target.path)[.type] as? FileAttributeType
        guard kind == nil || kind == .typeRegular || kind == .typeSymbolicLink else { throw POSIXError(.EEXIST) }
        // POSIX rename replaces the target in one step; Foundation's move refuses one that exists.
        guard rename(partial.path, target.path) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    private func failure(_ cause: any Error) -> NetworkError {
        NetworkError(.fileFailed, "the body cannot be written to \(target.lastPathComponent)", underlying: cause)
    }
}
