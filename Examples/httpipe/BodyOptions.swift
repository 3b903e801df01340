import Foundation
import Pipeline

/// What the request carries: text, a file, a form, or a form with files.
struct BodyOptions: Sendable {
    private enum Content: Sendable {
        case payload(Payload)
        case form(Query)
        case multipart([FormPart])
        case upload(path: String)
    }

    private var content: Content?

    /// Reads an option, if it is one of these.
    ///
    /// - Returns: Whether it is.
    mutating func read(_ name: String, from words: inout ArgumentReader) throws(UsageError) -> Bool {
        switch name {
        case "--json": try take(.payload(Payload(words.value(of: name), contentType: .json)))
        case "--body": try take(.payload(Payload(words.value(of: name), contentType: .plain)))
        case "--upload": try take(.upload(path: words.value(of: name)))
        case "--form":
            let (field, value) = try words.pair(of: name)
            var fields = Query()
            if case .form(let earlier) = content { fields = earlier } else { try checkIsFirst() }
            fields.append(field, value)
            content = .form(fields)
        case "--multipart":
            let part = try Self.part(words.pair(of: name))
            var parts: [FormPart] = []
            if case .multipart(let earlier) = content { parts = earlier } else { try checkIsFirst() }
            content = .multipart(parts + [part])
        default: return false
        }
        return true
    }

    /// The method of a request that names none.
    var method: HTTPMethod {
        switch content {
        case nil: .get
        case .upload: .put
        case .payload, .form, .multipart: .post
        }
    }

    var isJSON: Bool {
        if case .payload(let payload) = content { payload.contentType == .json } else { false }
    }

    /// The file that `--upload` names.
    var upload: URL? {
        if case .upload(let path) = content { URL(fileURLWithPath: path) } else { nil }
    }

    /// The body. A file is streamed from its place, standard input as it comes in, so neither has to fit into memory.
    var body: RequestBody {
        switch content {
        case nil, .upload: .none
        case .payload(let payload): payload.body
        case .form(let fields): .form(fields)
        case .multipart(let parts): .multipart(parts)
        }
    }

    private mutating func take(_ content: Content) throws(UsageError) {
        try checkIsFirst()
        self.content = content
    }

    private func checkIsFirst() throws(UsageError) {
        guard content == nil else {
            throw UsageError("one of --json, --body, --form, --multipart and --upload; --form and --multipart repeat")
        }
    }

    /// Reads `K=V` or `K=@FILE[;type=TYPE]`.
    private static func part(_ pair: (name: String, value: String)) throws(UsageError) -> FormPart {
        guard pair.value.hasPrefix("@") else { return .field(pair.name, pair.value) }
        var path = String(pair.value.dropFirst())
        var type: String?
        if let mark = path.range(of: ";type=", options: .backwards) {
            type = String(path[mark.upperBound...])
            path = String(path[..<mark.lowerBound])
        }
        guard !path.isEmpty else { throw UsageError("--multipart K=@FILE needs a file") }
        return .file(pair.name, at: URL(fileURLWithPath: path), contentType: type)
    }
}
