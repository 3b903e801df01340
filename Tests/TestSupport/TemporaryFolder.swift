package import Foundation

/// A folder that is gone when nobody knows it any more.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "pipeline-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The place of a file in it.
    package func file(_ name: String) -> URL { url.appending(path: name) }

    /// Makes a file in it.
    package func write(_ data: Data, as name: String) throws -> URL {
        let file = file(name)
        try data.write(to: file)
        return file
    }
}
