import Foundation
import Pipeline
import PipelineTesting
import TestSupport

/// A folder for downloads that goes with the last reference.
final class DownloadFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("download-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    subscript(name: String) -> URL { url.appendingPathComponent(name) }

    /// All that is in it, hidden files too.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path).sorted()) ?? [] }

    /// What anybody sees in it.
    var visibleNames: [String] { names.filter { !$0.hasPrefix(".") } }

    /// The bytes of the download that is not whole.
    var part: String? { names.first { $0.hasSuffix(".partial") }.flatMap { text($0) } }

    func text(_ name: String) -> String? {
        (try? Data(contentsOf: self[name])).map { String(decoding: $0, as: UTF8.self) }
    }

    func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: self[name]) }

    func mode(of name: String) -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: self[name].path)
        return (attributes?[.posixPermissions] as? NSNumber)?.intValue
    }
}

extension ConversationTransport.Exchange {
    /// Answers with the whole file, and breaks off after these bytes.
    func breakOff(after text: String, of length: Int = 10, headers: HTTPHeaders = ["ETag": "\"a\""]) {
        var headers = headers
        headers[.contentLength] = "\(length)"
        let pipe = respondStreaming(headers: headers)
        pipe.write(Data(text.utf8))
        pipe.finish(throwing: NetworkError(.truncated))
    }

    /// Answers with the bytes from a place on.
    func respondPart(_ text: String, from start: Int, of length: Int = 10, headers: HTTPHeaders = ["ETag": "\"a\""]) {
        var headers = headers
        headers[.contentRange] = "bytes \(start)-\(start + text.utf8.count - 1)/\(length)"
        headers[.contentLength] = "\(text.utf8.count)"
        respond(status: 206, headers: headers, body: text)
    }

    /// What was asked for, and of which state.
    var range: [String?] { [request.headers[.range], request.headers[.ifRange]] }
}

extension HookAction {
    /// Tries again what broke off.
    static let retryingBreakOffs = HookAction.retrying(zone: .hop) { outcome, _ in outcome.summary == "truncated" }
}

extension Data {
    static let page = 4096

    /// Pages, no two of which are alike.
    init(pages count: Int) {
        self.init(capacity: count * Self.page)
        for number in 0..<count {
            let line = Data("page \(number)\n".utf8)
            append(line)
            append(Data(repeating: UInt8(truncatingIfNeeded: number), count: Self.page - line.count))
        }
    }
}
