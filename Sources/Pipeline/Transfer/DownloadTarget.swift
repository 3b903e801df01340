import Foundation

/// Where a download goes: a file that is named, or a folder in which the server's name is taken.
enum DownloadTarget: Sendable, Hashable {
    case file(URL)
    case folder(URL)

    /// Looks what there is at the place.
    ///
    /// - Throws: `file-failed` if the folder does not exist, or a device, a pipe or the like stands there.
    init(_ url: URL) throws(NetworkError) {
        guard url.isFileURL else {
            throw NetworkError(.fileFailed, "the target of the download is not the URL of a file", reach: .no)
        }
        if Self.isFolder(url) {
            self = .folder(url)
            return
        }
        guard !url.hasDirectoryPath else { throw Self.failure("there is no folder \(url.lastPathComponent)") }
        let parent = url.deletingLastPathComponent()
        guard Self.isFolder(parent) else { throw Self.failure("there is no folder \(parent.lastPathComponent)") }
        guard Self.canBeReplaced(url) else { throw Self.failure("\(url.lastPathComponent) is no file", .EEXIST) }
        self = .file(url)
    }

    /// The folder that the file will be in.
    var folder: URL {
        switch self {
        case .file(let url): url.deletingLastPathComponent()
        case .folder(let url): url
        }
    }

    /// The place that was given.
    var url: URL {
        switch self {
        case .file(let url), .folder(let url): url
        }
    }

    /// The name of the file, as far as it is known before the server has answered.
    var name: String {
        switch self {
        case .file(let url): url.lastPathComponent
        case .folder: "/"  // No file has this name.
        }
    }

    /// Whether a file can take the place of what is there. In the place of a device it would be all that is left of it.
    static func canBeReplaced(_ url: URL) -> Bool {
        let kind = try? FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType
        return kind == nil || kind == .typeRegular || kind == .typeSymbolicLink
    }

    private static func isFolder(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func failure(_ reason: String, _ code: POSIXErrorCode = .ENOENT) -> NetworkError {
        NetworkError(.fileFailed, reason, underlying: POSIXError(code), reach: .no)
    }
}
