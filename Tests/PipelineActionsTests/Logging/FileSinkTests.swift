import Foundation
import Pipeline
import PipelineActions
import TestSupport
import Testing

struct FileSinkTests {
    let folder: TemporaryFolder
    var file: URL { folder.file("network.log") }

    init() throws {
        folder = try TemporaryFolder()
    }

    func content(_ name: String) -> String? {
        (try? Data(contentsOf: folder.file(name))).map { String(decoding: $0, as: UTF8.self) }
    }

    func entry(_ text: String) -> LogEntry { LogEntry(.info, text) }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    @Test func `begins a new file when one has grown, and keeps so many`() throws {
        let sink = FileSink(file, maximumSize: 10, olderFiles: 2, format: LineFormat.plain)
        for number in 1...9 { try sink.write(entry("line\(number)")) }  // Six bytes each: no two in a file.
        #expect(try names == ["network.log", "network.log.1", "network.log.2"])
        #expect(content("network.log") == "line9\n")
        #expect(content("network.log.1") == "line8\n")
        #expect(content("network.log.2") == "line7\n")
        for name in try names {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name).path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
    }

    @Test func `goes on with what is there, up to the last byte`() throws {
        try FileSink(file, maximumSize: 12, format: LineFormat.plain).write(entry("line1"))
        let sink = FileSink(file, maximumSize: 12, format: LineFormat.plain)
        try sink.write(entry("line2"))
        #expect(content("network.log") == "line1\nline2\n")
        try sink.write(entry("a line longer than the limit"))
        #expect(content("network.log") == "a line longer than the limit\n")
        try sink.write(entry("x"))
        #expect(try names == ["network.log", "network.log.1", "network.log.2"])
    }

    @Test func `keeps nothing older if told so`() throws {
        let sink = FileSink(file, maximumSize: 1, olderFiles: 0, format: LineFormat.plain)
        for text in ["a", "b"] { try sink.write(entry(text)) }
        #expect(try names == ["network.log"])
        #expect(content("network.log") == "b\n")
    }

    @Test func `a file that others could read is closed to them before anything is written`() throws {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o644]
        #expect(FileManager.default.createFile(atPath: file.path, contents: Data(), attributes: attributes))
        try FileSink(file, format: LineFormat.plain).write(entry("a"))
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }

    @Test func `follows no link, and goes on when the trouble is over`() throws {
        let target = folder.file("target")
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
        let sink = FileSink(file, format: LineFormat.plain)
        #expect(throws: NetworkError.self) { try sink.write(entry("a")) }
        #expect(content("target") == nil)
        try FileManager.default.removeItem(at: file)
        try sink.write(entry("b"))
        #expect(content("network.log") == "b\n")
    }
}
