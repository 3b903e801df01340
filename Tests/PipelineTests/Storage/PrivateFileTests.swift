import Foundation
import Pipeline
import Testing

@Suite struct PrivateFileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("private-file-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func mode(of url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    private func leavingNothing<T>(_ body: () throws -> T) rethrows -> T {
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body()
    }

    @Test func readsWhatWasWrittenAndOnlyTheOwnerCan() throws {
        try leavingNothing {
            let file = PrivateFile(folder.appendingPathComponent("tokens"))
            #expect(try file.read() == nil)
            try file.write(Data("one".utf8))
            try file.write(Data("two".utf8))
            #expect(try file.read() == Data("two".utf8))
            #expect(try mode(of: file.url) == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["tokens"])
            try file.remove()
            try file.remove()
            #expect(try file.read() == nil)
        }
    }

    @Test func tightensAFileThatOthersCouldRead() throws {
        try leavingNothing {
            let file = PrivateFile(folder.appendingPathComponent("tokens"))
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o644]
            #expect(FileManager.default.createFile(atPath: file.url.path, contents: nil, attributes: attributes))
            try file.write(Data("secret".utf8))
            #expect(try mode(of: file.url) == 0o600)
        }
    }

    @Test func followsNoLink() throws {
        try leavingNothing {
            let elsewhere = folder.appendingPathComponent("elsewhere")
            try Data("theirs".utf8).write(to: elsewhere)
            let file = PrivateFile(folder.appendingPathComponent("tokens"))
            try FileManager.default.createSymbolicLink(at: file.url, withDestinationURL: elsewhere)
            #expect(throws: NetworkError.self) { try file.read() }
            #expect(throws: NetworkError.self) { try file.openForAppending() }
            try file.write(Data("ours".utf8))
            #expect(try Data(contentsOf: elsewhere) == Data("theirs".utf8))
            #expect(try file.read() == Data("ours".utf8))
        }
    }

    @Test func refusesWhatIsNoFile() throws {
        try leavingNothing {
            let file = PrivateFile(folder.appendingPathComponent("folder"))
            try FileManager.default.createDirectory(at: file.url, withIntermediateDirectories: false)
            for refused in [
                #expect(throws: NetworkError.self, performing: { _ = try file.read() }),
                #expect(throws: NetworkError.self, performing: { try file.write(Data()) }),
                #expect(throws: NetworkError.self, performing: { _ = try file.openForAppending() }),
            ] {
                #expect(refused?.code == .fileFailed)
            }
        }
    }

    @Test func appendsToTheEnd() throws {
        try leavingNothing {
            let file = PrivateFile(folder.appendingPathComponent("log"))
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o664]
            #expect(FileManager.default.createFile(atPath: file.url.path, contents: nil, attributes: attributes))
            for line in ["one\n", "two\n"] {
                let handle = try file.openForAppending()
                try handle.write(contentsOf: Data(line.utf8))
                try handle.close()
            }
            #expect(try file.read() == Data("one\ntwo\n".utf8))
            #expect(try mode(of: file.url) == 0o600)
        }
    }
}
