import Foundation

/// A folder that is gone when nobody knows it any more.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "pipeline-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Makes a file in it.
    func write(_ data: Data, as name: String) throws -> URL {
        let file = url.appending(path: name)
        try data.write(to: file)
        return file
    }
}
