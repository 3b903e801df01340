import Foundation

/// A folder for what a benchmark needs besides memory. It is removed at the end.
final class ScratchFolder: Sendable {
    /// The folder.
    let url: URL

    /// Where a download is written: in memory if the system has such a place, so that no disk is measured.
    var target: URL { targetFolder.appendingPathComponent("target") }

    private let targetFolder: URL

    init() throws {
        let name = "pipeline-benchmarks-\(ProcessInfo.processInfo.globallyUniqueString)"
        url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        targetFolder = (Self.memory ?? url).appendingPathComponent(name)
        for folder in [url, targetFolder] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
    }

    /// A place in memory with room for a download. In containers it is often small.
    private static var memory: URL? {
        let place = "/dev/shm"
        let room = try? FileManager.default.attributesOfFileSystem(forPath: place)[.systemFreeSize] as? Int
        let isFit = FileManager.default.isWritableFile(atPath: place) && (room ?? 0) > 2_000_000_000
        return isFit ? URL(fileURLWithPath: place) : nil
    }

    /// Makes a file of so many zeros that takes no room on the disk, or finds it made.
    func sparseFile(_ bytes: Int) throws -> URL {
        let file = url.appendingPathComponent("\(bytes)")
        if !FileManager.default.fileExists(atPath: file.path) {
            _ = FileManager.default.createFile(atPath: file.path, contents: nil)
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: UInt64(bytes))
            try handle.close()
        }
        return file
    }

    func remove() {
        try? FileManager.default.removeItem(at: url)
        try? FileManager.default.removeItem(at: targetFolder)
    }
}
