public import Foundation

/// A response as actions and callers see it.
public struct NetworkResponse: Sendable {
    private var content: Content

    /// Creates a response, for transports and for actions that answer by themselves.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - headers: The header fields.
    ///   - body: The body, empty unless told otherwise.
    ///   - trailers: The fields that came after the body.
    ///   - version: The version of HTTP, if it is known.
    ///   - metrics: Times and sizes of the attempt, if they were measured.
    ///   - request: The request that is answered.
    public init(
        status: HTTPStatus,
        headers: HTTPHeaders = [:],
        body: ResponseBody = .empty,
        trailers: HTTPHeaders = [:],
        version: HTTPVersion? = nil,
        metrics: AttemptMetrics? = nil,
        request: NetworkRequest
    ) {
        content = Content(
            status: status,
            headers: headers,
            body: body,
            trailers: trailers,
            version: version,
            metrics: metrics,
            request: request
        )
    }

    /// The status.
    public var status: HTTPStatus {
        _read { yield content.status }
        _modify {
            separate()
            yield &content.status
        }
    }

    /// The header fields, in the order they came.
    public var headers: HTTPHeaders {
        _read { yield content.headers }
        _modify {
            separate()
            yield &content.headers
        }
    }

    /// What came back.
    public var body: ResponseBody {
        _read { yield content.body }
        _modify {
            separate()
            yield &content.body
        }
    }

    /// The fields that came after the body (RFC 9110, section 6.5). Those of a streamed body are told by an event.
    public var trailers: HTTPHeaders {
        _read { yield content.trailers }
        _modify {
            separate()
            yield &content.trailers
        }
    }

    /// The version of HTTP that was spoken; `nil` if the transport does not know.
    public var version: HTTPVersion? {
        _read { yield content.version }
        _modify {
            separate()
            yield &content.version
        }
    }

    /// Times and sizes of the attempt; `nil` if the transport measured none.
    public var metrics: AttemptMetrics? {
        _read { yield content.metrics }
        _modify {
            separate()
            yield &content.metrics
        }
    }

    /// The request as it was sent, with what every action had done to it.
    public var request: NetworkRequest {
        _read { yield content.request }
        _modify {
            separate()
            yield &content.request
        }
    }

    /// What makes up a response, behind one reference: on its way through a chain it is handed on by many, and changed by few.
    private final class Content: @unchecked Sendable {  // It is changed only while one response alone refers to it.
        @exclusivity(unchecked) var status: HTTPStatus
        @exclusivity(unchecked) var headers: HTTPHeaders
        @exclusivity(unchecked) var body: ResponseBody
        @exclusivity(unchecked) var trailers: HTTPHeaders
        @exclusivity(unchecked) var version: HTTPVersion?
        @exclusivity(unchecked) var metrics: AttemptMetrics?
        @exclusivity(unchecked) var request: NetworkRequest

        init(
            status: HTTPStatus,
            headers: HTTPHeaders,
            body: ResponseBody,
            trailers: HTTPHeaders,
            version: HTTPVersion?,
            metrics: AttemptMetrics?,
            request: NetworkRequest
        ) {
            self.status = status
            self.headers = headers
            self.body = body
            self.trailers = trailers
            self.version = version
            self.metrics = metrics
            self.request = request
        }
    }

    /// Makes sure that no other response sees a change.
    private mutating func separate() {
        guard !isKnownUniquelyReferenced(&content) else { return }
        content = Content(
            status: content.status,
            headers: content.headers,
            body: content.body,
            trailers: content.trailers,
            version: content.version,
            metrics: content.metrics,
            request: content.request
        )
    }

    /// Where the response came from.
    public var url: URL { request.url }

    /// Whether the status is one that the request accepts.
    ///
    /// Beside ``NetworkRequest/acceptableStatuses`` these are acceptable: a redirect, where the request asked to have it
    /// handed back; and 304, where the caller made the request conditional itself (RFC 9110, section 15.4.5).
    public var isAcceptable: Bool {
        if (request.acceptableStatuses ?? .success).contains(status) { return true }
        if request.redirectPolicy?.scope == .handBack, RedirectDecision.redirects.contains(status) { return true }
        return status == .notModified && request.context.isConditional
    }

    /// The media type of the body, lower-case and without parameters (RFC 9110, section 8.3).
    public var mimeType: String? {
        guard let field = headers[.contentType] else { return nil }
        var scanner = FieldScanner(field)
        while scanner.take(UInt8(ascii: ";")) {}
        return scanner.next == nil ? nil : scanner.text(before: ";").lowercased()
    }

    /// The `charset` parameter of `Content-Type`, if there is one (RFC 9110, section 8.3.2).
    var charset: String? {
        guard let field = headers.values(of: .contentType).first else { return nil }
        var scanner = FieldScanner(field)
        _ = scanner.text(before: ";")
        let charset = scanner.parameters()?.first { $0.name == "charset" }?.value
        // Some servers quote it with apostrophes, which HTTP does not know.
        return charset.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "'")) }
    }

    /// The encoding that ``charset`` names; `nil` if there is none, or none that is known.
    var textEncoding: String.Encoding? { (charset?.lowercased()).flatMap(TextCharset.encoding(named:)) }
}

extension NetworkResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status, and the request without query and credentials.
    public var description: String { "\(status) for \(request)" }

    public var debugDescription: String { description }

    public var customMirror: Mirror {
        Mirror(self, children: ["status": status, "headers": headers, "request": request], displayStyle: .struct)
    }
}

/// A version of HTTP.
public struct HTTPVersion: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The version as it is usually written.
    public let rawValue: String

    /// Creates a version.
    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    /// HTTP/1.0 (RFC 1945).
    public static let http1_0 = HTTPVersion(rawValue: "HTTP/1.0")
    /// HTTP/1.1 (RFC 9112).
    public static let http1_1 = HTTPVersion(rawValue: "HTTP/1.1")
    /// HTTP/2 (RFC 9113).
    public static let http2 = HTTPVersion(rawValue: "HTTP/2")
    /// HTTP/3 (RFC 9114).
    public static let http3 = HTTPVersion(rawValue: "HTTP/3")
}
