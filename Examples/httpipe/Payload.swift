import Foundation
import Pipeline

/// What the request carries, as the command line names it.
struct Payload: Sendable, Hashable {
    enum Source: Sendable, Hashable {
        case text(String)
        case file(String)
        case standardInput
    }

    enum ContentType: Sendable, Hashable {
        case json
        case plain
    }

    let source: Source
    let contentType: ContentType

    /// Reads `TEXT`, `@FILE`, or `@-` for standard input.
    init(_ text: String, contentType: ContentType) {
        self.contentType = contentType
        if text == "@-" {
            source = .standardInput
        } else if text.hasPrefix("@") {
            source = .file(String(text.dropFirst()))
        } else {
            source = .text(text)
        }
    }

    /// The body. A file is streamed from its place, standard input as it comes in, so neither has to fit into memory.
    ///
    /// Without `--json`, text is sent as text and everything else as bytes of no particular type; `-H Content-Type` says
    /// better.
    var body: RequestBody {
        let json = "application/json"
        return switch (source, contentType) {
        case (.text(let text), .json): .text(text, contentType: json)
        case (.text(let text), .plain): .text(text)
        case (.file(let path), .json): .file(URL(fileURLWithPath: path), contentType: json)
        case (.file(let path), .plain): .file(URL(fileURLWithPath: path))
        case (.standardInput, .json): .stream(contentType: json) { StandardInput() }
        case (.standardInput, .plain): .stream { StandardInput() }
        }
    }
}
