public import Foundation

/// One entry of a `multipart/form-data` body: a name, and what stands under it (RFC 7578, section 4.2).
///
///     let body = RequestBody.multipart([
///         .field("title", "Holiday"),
///         .file("photo", at: photo, contentType: "image/jpeg"),
///     ])
///
/// A name may come more than once: that is how several files, or the values of a list, are sent. Any ``RequestBody`` can be
/// an entry's content, a stream too: `FormPart("log", .stream { lines }, fileName: "today.log")`.
public struct FormPart: Sendable {
    /// The name, as plain text.
    public var name: String

    /// The name of the file that the content was, as plain text; `nil` for an entry that is no file.
    public var fileName: String?

    /// What the part's head says beside its `Content-Disposition` and the `Content-Type` of its body. Servers ignore most.
    public var headers: HTTPHeaders

    /// The content.
    public var body: RequestBody

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - name: The name, as plain text in any script. A quotation mark and line breaks are escaped as browsers do
    ///     (`%22`, `%0D`, `%0A`), and a backslash is doubled, since nearly all parsers take it for the beginning of an escape
    ///     (RFC 9110, section 5.6.4); other control characters are refused when the request is built.
    ///   - body: The content. A value is encoded at build, with the encoder of the request or the network.
    ///   - fileName: The name of the file, escaped in the same way; none unless told otherwise. It is sent as it is given, so
    ///     it should not be a path.
    ///   - headers: Further fields of the part's head.
    public init(_ name: String, _ body: RequestBody, fileName: String? = nil, headers: HTTPHeaders = [:]) {
        self.name = name
        self.fileName = fileName
        self.headers = headers
        self.body = body
    }

    /// Text, a number or a truth value, without a media type, as a browser sends the fields of a form.
    public static func field(_ name: String, _ value: some LosslessStringConvertible) -> FormPart {
        FormPart(name, .untyped(Data(value.description.utf8)))
    }

    /// A value, encoded at build with the encoder of the request or the network: JSON unless told otherwise.
    public static func value(_ name: String, _ value: some Encodable & Sendable) -> FormPart {
        FormPart(name, .value(value))
    }

    /// Bytes in memory.
    ///
    /// - Parameters:
    ///   - name: The name of the entry.
    ///   - data: The bytes.
    ///   - fileName: The name of the file that they stand for; none unless told otherwise.
    ///   - contentType: The media type, `application/octet-stream` unless told otherwise.
    public static func data(
        _ name: String,
        _ data: Data,
        fileName: String? = nil,
        contentType: String = "application/octet-stream"
    ) -> FormPart {
        FormPart(name, .bytes(data, contentType: contentType), fileName: fileName)
    }

    /// The contents of a file, which are read while they are sent.
    ///
    /// - Parameters:
    ///   - name: The name of the entry.
    ///   - url: Where the file is. If it cannot be opened the send fails with `file-failed` before anything leaves.
    ///   - fileName: The name that the server is told; the last part of the path unless told otherwise.
    ///   - contentType: The media type; what the extension of that name says unless told otherwise.
    public static func file(
        _ name: String,
        at url: URL,
        fileName: String? = nil,
        contentType: String? = nil
    ) -> FormPart {
        let fileName = fileName ?? url.lastPathComponent
        let contentType = contentType ?? MediaType.ofFile(named: fileName)
        return FormPart(name, .file(url, contentType: contentType), fileName: fileName)
    }

    /// The part as it is written, its name in the head.
    var part: BodyPart {
        var disposition = "form-data; name=\"\(Self.escaped(name))\""
        if let fileName { disposition += "; filename=\"\(Self.escaped(fileName))\"" }
        var head: HTTPHeaders = ["Content-Disposition": disposition]
        head.append(contentsOf: headers.filter { $0.name != "Content-Disposition" })
        return BodyPart(body, headers: head)
    }

    /// The escapes of the HTML standard, "multipart/form-data encoding algorithm", where a percent sign stays as it is. A
    /// backslash stays there too: one at the end of a name would then take the quotation mark behind it, and the name of the
    /// file, for a part of the name.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\"": result += "%22"
            case "\\": result += #"\\"#
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
