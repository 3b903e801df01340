import Foundation

@testable import Pipeline
@testable import PipelineActions

/// What bodies hold, and what is written into them.
enum BodyChecks {
    // MARK: Multipart

    /// Whatever is given as a name is one head that reads back, or is refused.
    ///
    /// - Parameter texts: A name, the name of a file, a content, another content.
    static func multipart(_ texts: [String]) throws {
        guard texts.count >= 3 else { return }
        let contents = texts.dropFirst(2).map { Data($0.utf8) }
        let names = (name: texts[0], file: texts[1])
        let form = Multipart.formData(contents.map { .data(names.name, $0, fileName: names.file, contentType: "a/b") })
        guard (try? form.check()) != nil else {
            let isControl: (UInt8) -> Bool = { $0 < 0x20 && ![9, 10, 13].contains($0) || $0 == 0x7F }
            try require(
                (names.name + names.file).utf8.contains(where: isControl),
                "only control characters are refused"
            )
            return
        }
        let body = RequestBody.multipart(form)
        let written = try bytes(of: body)
        try requireEqual(written.count, body.length, "the length is the one that was told")
        let head =
            "Content-Disposition: form-data; name=\"\(escaped(names.name))\"; filename=\"\(escaped(names.file))\"\r\n"
            + "Content-Type: a/b"
        try requireEqual(
            try parts(of: written, boundary: form.boundary),
            contents.map { Part(head: Data(head.utf8), content: $0) },
            "parts are read as they were written"
        )
        try requireEqual(
            MultipartOutline(written, boundary: form.boundary).lines.count,
            contents.count,
            "an outline has a line for each part"
        )
        _ = MultipartOutline(contents[0], boundary: names.name.isEmpty ? "b" : names.name)
    }

    private struct Part: Equatable {
        let head: Data
        let content: Data
    }

    private static func escaped(_ name: String) -> String {
        let escapes: [UInt8: String] = [34: "%22", 92: #"\\"#, 13: "%0D", 10: "%0A"]
        return String(decoding: name.utf8.flatMap { escapes[$0].map { Array($0.utf8) } ?? [$0] }, as: UTF8.self)
    }

    /// A strict reader: parts have one head, which ends at the first empty line (RFC 2046, section 5.1.1).
    private static func parts(of body: Data, boundary: String) throws -> [Part] {
        let (start, end) = (Data("--\(boundary)\r\n".utf8), Data("\r\n--\(boundary)--\r\n".utf8))
        guard body.starts(with: start), body.suffix(end.count) == end else {
            throw Broken(description: "the boundary stands around the parts")
        }
        var rest = body.dropFirst(start.count).dropLast(end.count)
        let delimiter = Data("\r\n--\(boundary)\r\n".utf8)
        var pieces: [Data] = []
        while let found = rest.range(of: delimiter) {
            pieces.append(rest[..<found.lowerBound])
            rest = rest[found.upperBound...]
        }
        return try (pieces + [rest]).map { piece in
            guard let found = piece.range(of: Data("\r\n\r\n".utf8)) else {
                throw Broken(description: "a part has a head")
            }
            return Part(head: Data(piece[..<found.lowerBound]), content: Data(piece[found.upperBound...]))
        }
    }

    private static func bytes(of body: RequestBody) throws -> Data {
        let result = Locked<Result<Data, any Error>?>(nil)
        let end = DispatchSemaphore(value: 0)
        Task {
            let read = await Result { () async throws -> Data in
                var data = Data()
                for try await chunk in try body.makeChunks() { data += chunk }
                return data
            }
            result.withLock { $0 = read }
            end.signal()
        }
        end.wait()
        return try result.withLock { $0 }?.get() ?? Data()
    }

    // MARK: Texts

    static func charsets(_ data: Data) throws {
        let names = [
            "utf-8", "iso-8859-1", "iso-8859-2", "windows-1250", "windows-1252", "utf-16", "utf-16le", "utf-16be",
            "shift_jis", "euc-jp",
        ]
        for name in names {
            guard let encoding = TextCharset.encoding(named: name) else {
                throw Broken(description: "\(name) is known")
            }
            let text = TextCharset.text(of: data, in: encoding)
            if name == "utf-8", TextCharset.byteOrderMark(of: data) == nil {
                let isValid = String(decoding: data, as: UTF8.self).utf8.elementsEqual(data)
                try requireEqual(text != nil, isValid, "UTF-8 is read if it is valid, and else not")
            }
        }
        for isWhole in [true, false] {
            guard let text = MediaType.text(data, isWhole: isWhole) else { continue }
            try require(data.starts(with: text.utf8), "a text is the beginning of its bytes")
            try require(data.count - text.utf8.count < (isWhole ? 1 : 4), "no more than a character is left out")
        }
    }

    // MARK: JSON

    static func json(_ data: Data) throws {
        let text = String(decoding: data, as: UTF8.self)
        let policy = RedactionPolicy.standard
        // What is no JSON is read as well.
        for isWhole in [true, false] {
            _ = policy.redacted(data, type: MediaType("application/json"), isWhole: isWhole, layout: .pretty)
            _ = policy.redacted(body: data, contentType: "application/json", isWhole: isWhole)
        }
        guard text.utf8.elementsEqual(data), let read = try? JSONDecoder().decode(JSONValue.self, from: data) else {
            return
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A large number with a fraction is written without it, and is an integer from then on.
        guard let first = try? encoder.encode(read), let value = try? JSONDecoder().decode(JSONValue.self, from: first),
            let written = try? encoder.encode(value)
        else { return }
        try requireEqual(
            try JSONDecoder().decode(JSONValue.self, from: written),
            value,
            "a value that is written is read the same"
        )
        for layout in [JSONRedaction.Layout.verbatim, .pretty] {
            let open = JSONRedaction(nil).redacted(
                String(decoding: written, as: UTF8.self),
                isWhole: true,
                layout: layout
            )
            try requireEqual(
                try JSONDecoder().decode(JSONValue.self, from: Data(open.utf8)),
                value,
                "a layout does not change the value"
            )
            let closed = JSONRedaction(.standard)
                .redacted(String(decoding: written, as: UTF8.self), isWhole: true, layout: layout)
            try require(
                (try? JSONDecoder().decode(JSONValue.self, from: Data(closed.utf8))) != nil,
                "JSON without its secrets is JSON: \(closed)"
            )
        }
        try checkPlanted(value, encoder)
    }

    /// A secret among whatever else there is, cut off wherever.
    private static func checkPlanted(_ value: JSONValue, _ encoder: JSONEncoder) throws {
        let secret = "hunter2planted"
        let document: JSONValue = [
            "a": value, "password": .string(secret), "z": [value, ["access_token": .array([.string(secret)])]],
        ]
        guard let whole = try? encoder.encode(document) else { return }
        for (end, isWhole) in [(whole.count, true), (whole.count * 2 / 3, false), (whole.count - 3, false)] {
            let shown = RedactionPolicy.standard.redacted(
                body: whole.prefix(end),
                contentType: "application/json",
                isWhole: isWhole
            )
            try require(shown?.contains("hunter2") != true, "a secret is left out: \(shown ?? "")")
        }
    }

    // MARK: Redaction

    /// Texts, URLs, forms and fields, as they come and with a secret planted behind them.
    static func redaction(_ texts: [String]) throws {
        let policy = RedactionPolicy.standard
        let secret = "hunter2planted"
        for text in texts {
            _ = policy.redacted(text)
            let url = policy.redacted(url: "https://u:\(secret)@h.test/?password=\(secret)&x=\(text.percentEncoded())")
            try require(!url.contains(secret), "a secret of a URL is left out: \(url)")
            let form = policy.redacted(form: "x=\(text.percentEncoded())&password=\(secret)")
            try require(!form.contains(secret), "a secret of a form is left out: \(form)")
            for name: HTTPFieldName in [.authorization, .cookie, .setCookie, .location, "X-Text"] {
                _ = policy.redactedValue(of: HTTPField(name: name, value: text))
            }
            let cookie = policy.redactedValue(of: HTTPField(name: .cookie, value: "\(text.percentEncoded())=\(secret)"))
            try require(!cookie.contains(secret), "a cookie's value is left out: \(cookie)")
            let lined = policy.redacted("\(text)\nAuthorization: Bearer \(secret)\n")
            try require(!lined.contains(secret), "a secret of a text is left out: \(lined)")
        }
    }
}

extension Result where Failure == any Error, Success: Sendable {
    fileprivate init(_ work: () async throws -> Success) async {
        do { self = .success(try await work()) } catch { self = .failure(error) }
    }
}
