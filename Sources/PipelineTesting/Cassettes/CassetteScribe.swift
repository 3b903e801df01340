import Foundation
import Pipeline
import PipelineActions

/// Writes down requests and responses without their secrets.
struct CassetteScribe: Sendable {
    let redaction: RedactionPolicy
    /// The largest body that is kept, in bytes.
    let bodyLimit: Int

    // MARK: Messages

    /// A request as it stands on a cassette. A body that is made while it is sent is left alone.
    func record(_ request: NetworkRequest) -> Cassette.RecordedRequest {
        Cassette.RecordedRequest(
            method: request.method.rawValue,
            url: redaction.redactedURL(of: request),
            headers: lines(of: request.headers),
            body: body(of: request)
        )
    }

    /// The head of a response as it stands on a cassette.
    func record(_ response: NetworkResponse) -> Cassette.RecordedResponse {
        Cassette.RecordedResponse(status: response.status.code, headers: lines(of: response.headers))
    }

    /// The values of a field without its secrets.
    func values(of name: HTTPFieldName, in request: NetworkRequest) -> [String] {
        request.headers.filter { $0.name == name }.map(redaction.redactedValue(of:))
    }

    private func lines(of headers: HTTPHeaders) -> [String] {
        headers.map { "\($0.name.spelling): \(redaction.redactedValue(of: $0))" }
    }

    // MARK: Bodies

    private func body(of request: NetworkRequest) -> CassetteBody {
        let body = request.body
        if body.isEmpty { return .empty }
        let size = body.length
        // In what is compressed or encrypted no secret can be found, nor in parts.
        let type = request.headers[.contentType] ?? body.contentType
        guard !request.headers.contains(.contentEncoding), type?.lowercased().hasPrefix("multipart/") != true,
            let size, size <= bodyLimit
        else { return .omitted(size: size) }
        let data = body.data ?? body.file.flatMap { try? Data(contentsOf: $0) }
        return data.map { self.body($0, type: type) } ?? .omitted(size: size)
    }

    /// A body as it stands on a cassette.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - type: Its `Content-Type`.
    func body(_ data: Data, type: String?) -> CassetteBody {
        if data.isEmpty { return .empty }
        if data.count > bodyLimit { return .omitted(size: data.count) }
        if Self.isBinary(data) { return .bytes(data) }
        // What reads as text is text, whatever its type: a wrong one must not hide a secret.
        if let text = redaction.redacted(body: data, contentType: type)
            ?? redaction.redacted(body: data, contentType: nil)
        {
            return json(text) ?? .text(text)
        }
        return .bytes(inOtherCharset(data, type: type) ?? data)
    }

    /// Whether the bytes are no text in any charset but UTF-16, so that nobody need look for one. Large bodies are mostly such.
    private static func isBinary(_ data: Data) -> Bool {
        if isUTF16(data) { return false }
        return data.withUnsafeBytes { $0.baseAddress.flatMap { memchr($0, 0, data.count) } != nil }
    }

    private static func isUTF16(_ data: Data) -> Bool {
        data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF])
    }

    /// JSON, if reading and writing it loses no digit.
    private func json(_ text: String) -> CassetteBody? {
        guard let first = text.first(where: { !$0.isWhitespace }), first == "{" || first == "[",
            let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)),
            !Self.holdsLongNumber(text)
        else { return nil }
        return .json(value)
    }

    /// Whether there are more digits in a row than a floating-point number keeps. Those in texts count too; such a document is
    /// kept as text, which is no loss.
    private static func holdsLongNumber(_ text: String) -> Bool {
        var run = 0
        for byte in text.utf8 {
            let isPartOfNumber = HTTPSyntax.isDigit(byte) || byte == UInt8(ascii: ".")
            run = isPartOfNumber ? run + 1 : 0
            if run > 15 { return true }
        }
        return false
    }

    /// A text in another charset than UTF-8, without its secrets and in the same charset.
    ///
    /// - Returns: `nil` if it is no such text.
    private func inOtherCharset(_ data: Data, type: String?) -> Data? {
        let isUTF16 = Self.isUTF16(data)
        // In Latin-1 every byte is a character, so that what is ASCII in other charsets can be searched, and the rest survives.
        let encoding = isUTF16 ? String.Encoding.utf16 : .isoLatin1
        guard let text = String(data: data, encoding: encoding),
            let redacted = redaction.redacted(body: Data(text.utf8), contentType: isUTF16 ? nil : type ?? "text/plain")
        else { return nil }
        return redacted == text ? data : redacted.data(using: encoding)
    }
}
