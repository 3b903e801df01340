import Foundation

/// A folder for what a benchmark needs besides memory. It is removed at the end.
final class ScratchFolder: Sendable {
    /// The folder.
    let url: URL

    /// Where downloads are written: in memory if the system has such a place, so that no disk is measured.
    let target: URL

    init() throws {
        let name = "pipeline-benchmarks-\(ProcessInfo.processInfo.globallyUniqueString)"
        url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        let memory = URL(fileURLWithPath: "/dev/shm")
        let isWritable = FileManager.default.isWritableFile(atPath: memory.path)
        target = isWritable ? memory.appendingPathComponent(name) : url.appendingPathComponent("target")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
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
        try? FileManager.default.removeItem(at: target)
    }
}
