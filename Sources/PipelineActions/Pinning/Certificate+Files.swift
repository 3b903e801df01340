public import Foundation
public import Pipeline

extension Certificate {
    /// Reads the certificates of a folder: of all files in it, not below it, whose names end in `.cer`, `.crt`, `.der` or `.pem`.
    ///
    /// They come in the order of the files' names, each once. A `.pem` file that holds no certificate, but a key for one, is
    /// passed over.
    ///
    /// - Throws: ``/Pipeline/MalformedValue`` if a file does not hold what its name says, and what Foundation throws if the
    ///   folder or a file cannot be read.
    public static func list(inFolder folder: URL) throws -> [Certificate] {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try list(contentsOf: files)
    }

    /// Reads the certificates among the resources of a bundle: those of an application's own unless told otherwise. Otherwise
    /// like ``list(inFolder:)``.
    ///
    /// - Returns: The certificates; none if the bundle has none.
    /// - Throws: ``/Pipeline/MalformedValue`` if a file does not hold what its name says, and what Foundation throws if one
    ///   cannot be read.
    public static func list(in bundle: Bundle = .main) throws -> [Certificate] {
        guard let folder = bundle.resourceURL, FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try list(inFolder: folder)
    }

    private static func list(contentsOf files: [URL]) throws -> [Certificate] {
        var found: [Certificate] = []
        for file in files.sorted(by: { $0.lastPathComponent < $1.lastPathComponent }) {
            switch file.pathExtension.lowercased() {
            case "cer", "crt", "der": found += try list(contentsOf: file)
            case "pem" where try holdsCertificate(file): found += try list(contentsOf: file)
            default: break
            }
        }
        var known: Set<Certificate> = []
        return found.filter { known.insert($0).inserted }
    }

    private static func holdsCertificate(_ file: URL) throws -> Bool {
        let data = try Data(contentsOf: file)
        return data.first == 0x30 || data.range(of: Data("-----BEGIN CERTIFICATE-----".utf8)) != nil
    }
}
