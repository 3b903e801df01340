import Foundation
import Pipeline

/// A body as a log shows it: nothing, its text up to a limit and without secrets, or what it is and how large.
///
/// It looks at bytes in memory only. A file is not read, and a stream is left to its reader.
struct LoggedBody {
    /// The lines to show; none if there is no body.
    let lines: [String]

    private init(_ lines: [String]) { self.lines = lines }

    init(_ body: RequestBody, headers: HTTPHeaders, redaction: RedactionPolicy, limit: Int) {
        let type = headers[.contentType] ?? body.contentType
        if let data = body.data {
            self.init(data, type: type, redaction: redaction, limit: limit)
        } else if body.isEmpty {
            self.init([])
        } else if body.file != nil {
            self.init([Self.named("a file", type, size: body.length)])
        } else {
            self.init([Self.named("a stream", type, size: body.length)])
        }
    }

    init(_ response: NetworkResponse, redaction: RedactionPolicy, limit: Int) {
        let type = response.headers[.contentType]
        if let data = response.body.data {
            self.init(data, type: type, redaction: redaction, limit: limit)
        } else if response.body.file != nil {
            self.init([Self.named("written to a file", type, size: response.metrics?.bytesReceived)])
        } else {
            self.init([Self.named("a stream", type, size: response.body.stream?.expectedLength)])
        }
    }

    private init(_ data: Data, type field: String?, redaction: RedactionPolicy, limit: Int) {
        guard !data.isEmpty else {
            self.init([])
            return
        }
        let type = MediaType(field)
        let start = data.prefix(max(0, limit))
        let isWhole = start.count == data.count
        if type.isMultipart {
            let parts = type.boundary.map { MultipartOutline(start, boundary: $0).lines } ?? []
            self.init([Self.named(nil, field, size: data.count)] + parts + (isWhole ? [] : ["…"]))
        } else if limit > 0, let text = redaction.redacted(start, type: type, isWhole: isWhole, layout: .pretty) {
            let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
            self.init(lines + (isWhole ? [] : ["… of \(Self.size(data.count)) in all"]))
        } else {
            self.init([Self.named(nil, field, size: data.count)])
        }
    }

    /// A body that is not shown.
    static func named(_ what: String?, _ type: String?, size: Int?) -> String {
        "<" + [what, type.map(Printable.escaped), size.map(Self.size)].compactMap(\.self).joined(separator: ", ") + ">"
    }

    /// A number of bytes in words.
    static func size(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }
}
