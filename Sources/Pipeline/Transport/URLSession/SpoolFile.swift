import Foundation

/// Where a stream is kept that a session wants as a file: gone when nobody knows it any more, and only the owner can read it.
final class SpoolFile: Sendable {
    let url: URL
    private let handle: FileHandle

    /// Makes the file, in a folder that others share.
    ///
    /// - Throws: ``NetworkError`` `file-failed`.
    init() throws(NetworkError) {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("pipeline-upload-\(UUID().uuidString)")
        do { handle = try PrivateFile(url).create() } catch { throw Self.failure("made", error) }
    }

    deinit { unlink(url.path) }

    /// How many bytes it has.
    var length: Int { BodyFile.version(at: url)?.length ?? 0 }

    /// Writes bytes at the end.
    ///
    /// - Throws: ``NetworkError`` `file-failed`, when the disk is full above all.
    func append(_ data: Data) throws(NetworkError) {
        do { try handle.write(contentsOf: data) } catch { throw Self.failure("written", error) }
    }

    /// Ends the writing.
    ///
    /// - Throws: ``NetworkError`` `file-failed`.
    func close() throws(NetworkError) {
        do { try handle.close() } catch { throw Self.failure("written", error) }
    }

    private static func failure(_ verb: String, _ cause: any Error) -> NetworkError {
        let reason = "the temporary file for the body stream cannot be \(verb)"
        return NetworkError(.fileFailed, reason, underlying: cause, reach: .no)
    }
}
