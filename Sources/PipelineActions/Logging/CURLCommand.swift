public import Foundation
public import Pipeline

/// A network request as a command line for curl, to be pasted into a shell.
///
///     print(CURLCommand(request))
///     // curl --globoff --request PUT --header 'Authorization: Bearer <redacted>' --url 'https://api.example.com/notes/7?page=2'
///
/// The line is right for every POSIX shell, whatever the request contains: quotation marks, line breaks, control characters,
/// an `@` that curl would take for a file. Nothing of the request is carried out by the shell, and the line itself is
/// printable. A body with control characters in it, and one too large for an argument, is piped into curl by `printf`.
///
/// **Secrets** are left out by the ``RedactionPolicy`` unless it is ``RedactionPolicy/includingSecrets``.
///
/// **What is not written out:** a body that is not in memory or is larger than the limit, and, while secrets are left out,
/// one that is not text. In its place stands the name of a file that does not exist and says what is missing, such as
/// `@<image/png, 2048 bytes>`: put the body into a file and its name there. A body that is a file is named by its path.
///
/// curl adds fields of its own, `User-Agent` and `Accept`, where the request has none. What is not in the request is not in
/// the line: proxies, pins and trust, time limits, redirects. A field that could not be sent (RFC 9110, section 5.5) is left
/// out.
public struct CURLCommand: Sendable, Hashable, CustomStringConvertible {
    /// The arguments after `curl`, as they are before any quoting: for starting curl without a shell.
    public let arguments: [String]

    /// What curl must be given on its standard input, if anything.
    public let standardInput: Data?

    /// Writes a request as a command.
    ///
    /// - Parameters:
    ///   - request: The request. Inside a send, give the one that was sent (`response.request`): it has what the actions
    ///     added.
    ///   - redaction: What is left out; the usual secrets unless told otherwise.
    ///   - bodyLimit: How large a body may be to be written out, in bytes; 64 KiB unless told otherwise.
    public init(_ request: NetworkRequest, redaction: RedactionPolicy = .standard, bodyLimit: Int = 65_536) {
        // What is a secret in the query is one wherever the request repeats it, in `Referer` for one.
        let redaction = redaction.hiding(request.secretQueryNames)
        // Brackets and braces in the URL are no patterns, and its dots go to the server as they are.
        var arguments = ["--globoff", "--path-as-is"]
        let body = Body(request, redaction: redaction, limit: bodyLimit)
        arguments += Self.method(request.method, hasBody: body != nil)
        arguments += Self.fields(of: request, hasBody: body != nil, redaction: redaction)
        arguments += body?.arguments ?? []
        arguments += ["--url", redaction.redactedURL(of: request)]
        self.arguments = arguments
        standardInput = body?.standardInput
    }

    /// The line, without a line break at its end.
    public var description: String {
        let curl = (["curl"] + arguments.map(ShellWord.quoted)).joined(separator: " ")
        guard let standardInput else { return curl }
        return ShellWord.printf(standardInput) + " | " + curl
    }

    private static func method(_ method: HTTPMethod, hasBody: Bool) -> [String] {
        switch method {
        case .get where !hasBody: []
        case .head where !hasBody: ["--head"]
        default: ["--request", method.rawValue]
        }
    }

    private static func fields(of request: NetworkRequest, hasBody: Bool, redaction: RedactionPolicy) -> [String] {
        var fields = request.headers
        if !fields.contains(.contentType), let type = request.body.contentType, !request.body.isEmpty {
            fields[.contentType] = type
        }
        var arguments: [String] = []
        for field in fields where canBeSent(field) {
            let value = redaction.redactedValue(of: field)
            // curl takes a name without a value for a wish to remove the field, and a semicolon for an empty value.
            arguments += ["--header", value.isEmpty ? "\(field.name.spelling);" : "\(field.name.spelling): \(value)"]
        }
        // Without a type curl would call any body a form.
        if hasBody, !fields.contains(.contentType) { arguments += ["--header", "Content-Type:"] }
        // Who asks for a coding wants to read the answer.
        if fields.contains(.acceptEncoding) { arguments.append("--compressed") }
        return arguments
    }

    /// Whether curl would make one field of it, and send it. A name that begins with `@` would be a file to read.
    private static func canBeSent(_ field: HTTPField) -> Bool {
        let name = field.name.spelling.utf8
        let isName =
            !name.isEmpty && name.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"@:;\"(),/<>=?[]{}\\".utf8.contains($0) }
        return isName && field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}

extension CURLCommand {
    /// What the command does about a body.
    private struct Body {
        let arguments: [String]
        var standardInput: Data?

        /// Linux allows an argument of 128 KiB with its final NUL; half of that leaves room for all else.
        private static let largestArgument = 65_536

        /// `nil` if there is no body, and the method needs none to say so.
        init?(_ request: NetworkRequest, redaction: RedactionPolicy, limit: Int) {
            let body = request.body
            let field = request.headers[.contentType] ?? body.contentType
            if body.isEmpty {
                guard [.post, .put, .patch].contains(request.method) else { return nil }
                arguments = ["--data-raw", ""]
            } else if let file = body.file {
                arguments = ["--data-binary", "@" + file.path]
            } else if let data = body.data, data.count <= limit, let content = Self.content(data, field, redaction) {
                let text = String(strictUTF8: content)
                let isArgument =
                    content.count <= Self.largestArgument
                    && text?.unicodeScalars.contains(where: Printable.isControl) == false
                arguments = isArgument ? ["--data-raw", text ?? ""] : ["--data-binary", "@-"]
                standardInput = isArgument ? nil : content
            } else {
                let what = body.data == nil ? "a stream" : nil
                arguments = ["--data-binary", "@" + LoggedBody.named(what, field, size: body.length)]
            }
        }

        /// The bytes to send, without secrets; `nil` if they cannot be told from what is no secret.
        private static func content(_ data: Data, _ field: String?, _ redaction: RedactionPolicy) -> Data? {
            if redaction.includesSecrets { return data }
            return redaction.redacted(body: data, contentType: field).map { Data($0.utf8) }
        }
    }
}
