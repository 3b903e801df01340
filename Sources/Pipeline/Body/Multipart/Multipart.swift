import Foundation

/// A body made of parts, each with a head of its own (RFC 2046, section 5.1).
///
/// Forms with files are the common case and have a short way: ``RequestBody/multipart(_:)-([FormPart])``. The other kinds:
///
///     let body = RequestBody.multipart(.related([
///         BodyPart(.json(["name": "photo.jpg"])),
///         BodyPart(.file(photo, contentType: "image/jpeg")),
///     ]))
///
/// It is never put together in memory: the parts are read one after the other while they are sent. It has a length if all
/// parts have one, and can be sent again if all parts can.
public struct Multipart: Sendable {
    private enum Kind: Sendable {
        case formData, mixed
        case related(start: String?)
    }

    private let kind: Kind
    private let separator: Boundary

    /// The parts, in their order.
    public let parts: [BodyPart]

    /// What stands between the parts. Unless it was given it is drawn by chance, and in no content that is in memory.
    public var boundary: String { separator.text }

    private init(_ kind: Kind, _ parts: [BodyPart], _ boundary: String?) {
        var generator = SystemRandomNumberGenerator()
        self.init(kind, parts, boundary.map(Boundary.init(given:)) ?? Boundary(for: parts, using: &generator))
    }

    private init(_ kind: Kind, _ parts: [BodyPart], _ separator: Boundary) {
        self.kind = kind
        self.parts = parts
        self.separator = separator
    }

    /// A form, `multipart/form-data` (RFC 7578).
    ///
    /// - Parameters:
    ///   - parts: The entries, in their order; there may be none.
    ///   - boundary: What stands between them; drawn by chance unless told otherwise. One that the grammar has no place for,
    ///     or that occurs in a content in memory, is an `invalid-request` error at build.
    public static func formData(_ parts: [FormPart], boundary: String? = nil) -> Multipart {
        Multipart(.formData, parts.map(\.part), boundary)
    }

    /// Parts that have nothing to do with each other, `multipart/mixed` (RFC 2046, section 5.1.3).
    ///
    /// - Parameters:
    ///   - parts: The parts, at least one, in their order.
    ///   - boundary: As in ``formData(_:boundary:)``.
    public static func mixed(_ parts: [BodyPart], boundary: String? = nil) -> Multipart {
        Multipart(.mixed, parts, boundary)
    }

    /// Parts that make up one thing, `multipart/related` (RFC 2387).
    ///
    /// The media type of the root part stands in the `type` parameter.
    ///
    /// - Parameters:
    ///   - parts: The parts, at least one, in their order.
    ///   - start: The `Content-ID` of the root part, such as `<a@example>`; the first part is the root unless told otherwise.
    ///   - boundary: As in ``formData(_:boundary:)``.
    public static func related(_ parts: [BodyPart], start: String? = nil, boundary: String? = nil) -> Multipart {
        Multipart(.related(start: start), parts, boundary)
    }

    /// The value of the `Content-Type` field.
    public var contentType: String {
        switch kind {
        case .formData: return "multipart/form-data; boundary=\(separator.parameter)"
        case .mixed: return "multipart/mixed; boundary=\(separator.parameter)"
        case .related(let start):
            var text = "multipart/related; boundary=\(separator.parameter)"
            if let type = root(start)?.contentType?.prefix(while: { $0 != ";" && $0 != " " }) {
                text += "; type=\"\(type)\""
            }
            if let start { text += "; start=\"\(start)\"" }
            return text
        }
    }

    private func root(_ start: String?) -> BodyPart? {
        guard let start else { return parts.first }
        return parts.first { $0.headers["Content-ID"] == start }
    }

    /// Refuses what could not be read back, and opens every file once, so that one that is missing is known of before half of
    /// the body is away.
    ///
    /// - Throws: ``MalformedValue`` for a name, a field or a boundary that would break the parts up, and for parts that are
    ///   missing; ``NetworkError`` `file-failed`.
    func check() throws {
        try separator.check()
        try require(
            !separator.isGiven || !parts.contains { $0.body.mentions(boundary) },
            "boundary",
            "it occurs in the content of a part"
        )
        switch kind {
        case .formData: break
        case .mixed: try require(!parts.isEmpty, "mixed", "it needs a part (RFC 2046, section 5.1.1)")
        case .related(let start):
            try require(root(start) != nil, "related", "it needs a root part, which `start` names by its Content-ID")
            try require(
                start?.unicodeScalars.contains { $0 == "\"" || $0 == "\\" } != true,
                "start",
                "it has a quotation mark"
            )
        }
        for part in parts {
            try part.fields.check()
            switch part.body.content {
            case .file(let url): _ = try RequestBodyChunks(contentsOf: url)
            case .multipart(let inner): try inner.check()
            default: break
            }
        }
    }

    private func require(_ holds: Bool, _ name: String, _ reason: String) throws(MalformedValue) {
        guard holds else { throw MalformedValue(kind: "multipart", name: name, reason: reason) }
    }

    /// The same with all values encoded.
    func encoded(with encoder: any BodyEncoder) throws -> Multipart {
        guard parts.contains(where: { $0.body.isUnencoded }) else { return self }
        let parts = try parts.map { BodyPart(try $0.body.encoded(with: encoder), headers: $0.headers) }
        guard !separator.isGiven, parts.contains(where: { $0.body.mentions(boundary) }) else {
            return Multipart(kind, parts, separator)
        }
        return Multipart(kind, parts, nil)
    }
}

// What is sent.
extension Multipart {
    /// The heads and the contents, in the order in which they are sent.
    private var pieces: [RequestBody] {
        var pieces: [RequestBody] = []
        var mark = "--\(boundary)"
        for part in parts {
            pieces += [.untyped(Data("\(mark)\r\n\(part.head)".utf8)), part.body]
            mark = "\r\n--\(boundary)"
        }
        return pieces + [.untyped(Data("\(mark)--\r\n".utf8))]
    }

    var length: Int? {
        pieces.reduce(0) { sum, piece in
            guard let sum, let length = piece.length else { return nil }
            return sum + length
        }
    }

    var isReplayable: Bool { parts.allSatisfy(\.body.isReplayable) }

    var canBeSent: Bool { parts.allSatisfy(\.body.canBeSent) }

    func makeChunks(announcing announced: Int?) throws -> RequestBodyChunks {
        try check()
        // Files are opened one by one, when their turn comes, and must still be then what they are now.
        let pieces = pieces.map { (body: $0, version: $0.file.flatMap(BodyFile.version)) }
        let length = pieces.reduce(0) { sum, piece -> Int? in
            guard let sum, let length = piece.version?.length ?? piece.body.length else { return nil }
            return sum + length
        }
        guard length == announced else {
            throw NetworkError(.fileFailed, "a file of the request body changed before it was sent")
        }
        var rest = pieces[...]
        var current = RequestBodyChunks { nil }
        let chunks = RequestBodyChunks {
            while true {
                if let chunk = try await current.next() { return chunk }
                guard let (body, version) = rest.popFirst() else { return nil }
                if let url = body.file {
                    current = try RequestBodyChunks(contentsOf: url, as: version)
                } else {
                    current = try body.makeChunks()
                }
            }
        }
        return length.map(chunks.exactly) ?? chunks
    }
}
