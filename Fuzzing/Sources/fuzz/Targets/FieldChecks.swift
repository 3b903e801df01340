import Foundation

@testable import Pipeline
@testable import PipelineActions

/// Values of header fields.
enum FieldChecks {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    static func quoted(_ text: String) -> String {
        let bytes = text.utf8.flatMap { byte in
            byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), byte] : [byte]
        }
        return "\"" + String(decoding: bytes, as: UTF8.self) + "\""
    }

    private static func sorted(_ values: [String: String]) -> [(key: String, value: String)] {
        values.sorted { $0.key < $1.key }
    }

    static func links(_ fields: [String]) throws {
        guard let base = URL(string: "https://api.example.com/list?page=1") else { return }
        let links = WebLink.links(in: fields, relativeTo: base)
        try requireEqual(
            links,
            fields.flatMap { WebLink.links(in: [$0], relativeTo: base) },
            "a field does not change another"
        )
        for link in links {
            try require(!link.relations.isEmpty, "a link has a relation")
            try require(
                [link.target, link.anchor ?? base].allSatisfy { $0.scheme?.isEmpty == false },
                "targets are absolute"
            )
            try require(
                link.title == nil || link.attributes["title"] != nil || link.attributes["title*"] != nil,
                "title"
            )
            var text = "<\(link.target.absoluteString)>; rel=\(quoted(link.relations.joined(separator: " ")))"
            if let anchor = link.anchor { text += "; anchor=\(quoted(anchor.absoluteString))" }
            for (name, value) in sorted(link.attributes) { text += "; \(name)=\(quoted(value))" }
            let again = WebLink.links(in: [text, text].map { "\($0), \($0)" }, relativeTo: base)
            try requireEqual(
                again,
                Array(repeating: link, count: 4),
                "a link that is written is read the same: \(text)"
            )
        }
    }

    static func challenges(_ fields: [String]) throws {
        let challenges = AuthenticationChallenge.challenges(in: fields)
        for challenge in challenges {
            try require(HTTPSyntax.isToken(challenge.scheme), "a scheme is a token")
            try require(challenge.parameters.keys.allSatisfy(HTTPSyntax.isToken), "names are tokens")
            try require(
                challenge.token68 == nil || challenge.parameters.isEmpty,
                "a challenge has data or parameters"
            )
            _ = DigestChallenge(challenge)
        }
        let written = challenges.map { challenge in
            let parameters = sorted(challenge.parameters).map { "\($0.key)=\(quoted($0.value))" }
            return challenge.scheme + " " + (challenge.token68 ?? parameters.joined(separator: ", "))
        }
        try requireEqual(
            AuthenticationChallenge.challenges(in: [written.joined(separator: ", ")]),
            challenges,
            "challenges that are written are read the same"
        )
    }

    static func contentType(_ fields: [String]) throws {
        guard let url = URL(string: "https://api.example.com/") else { return }
        let headers = HTTPHeaders(fields.map { HTTPField(name: .contentType, value: $0) })
        let response = NetworkResponse(status: 200, headers: headers, request: NetworkRequest(url: url))
        if let type = response.mimeType { try requireEqual(type, type.lowercased(), "a type is in lower case") }
        if let charset = response.charset { _ = TextCharset.encoding(named: charset.lowercased()) }
        for field in fields {
            let type = MediaType(field)
            _ = (type.canBeText, type.boundary)
            var scanner = FieldScanner(field)
            _ = scanner.text(before: ";")
            for parameter in scanner.parameters() ?? [] {
                try require(
                    !parameter.name.isEmpty && !parameter.name.utf8.contains { "=;,".utf8.contains($0) },
                    "a name of a parameter has no signs of a list"
                )
            }
            guard let range = try? MediaRange(field) else { continue }
            try requireEqual(try MediaRange(range.description), range, "a range that is written is read the same")
            if !field.contains("*") { try require(range.contains(field), "a type is in its own range") }
        }
    }

    /// `Retry-After`, and the fields in which servers tell how much they allow.
    static func limits(_ values: [String]) throws {
        let names: [HTTPFieldName] = [
            .retryAfter, "RateLimit", "RateLimit-Policy", "X-RateLimit-Remaining", "X-RateLimit-Reset",
            "X-RateLimit-Reset-After",
        ]
        let headers = HTTPHeaders(zip(names, values).map { HTTPField(name: $0, value: $1) })
        let longest = Duration.seconds(10_000_000_000_000)
        if let asked = RetryAfter(in: headers, now: now) {
            try require((.zero...longest).contains(asked.delay(from: now)), "a pause is neither negative nor too long")
        }
        for hint in RateLimitHint.hints(in: headers, status: 429, at: now) {
            try require(hint.remaining >= 0, "what remains is not negative")
            try require((.zero...longest).contains(hint.reset), "a window is neither negative nor too long")
        }
        for value in values {
            guard case .seconds(let seconds) = try? RetryAfter(field: value, now: now) else { continue }
            try requireEqual(try RetryAfter(field: "\(seconds)", now: now), .seconds(seconds), "a number is read again")
        }
    }

    static func traceContext(_ values: [String]) throws {
        var headers = HTTPHeaders()
        headers.append(name: .traceparent, value: values.first ?? "")
        for state in values.dropFirst() { headers.append(name: .tracestate, value: state) }
        guard let context = TraceContext(in: headers) else { return }
        var written: HTTPHeaders = [.traceparent: context.traceparent]
        written[.tracestate] = context.state
        try requireEqual(TraceContext(in: written), context, "a context that is written is read the same")
        try require(HTTPSyntax.isFieldValue(context.traceparent), "a context can be sent")
    }

    static func dates(_ text: String) throws {
        let cookieDate = CookieDate.parse(text)
        if let cookieDate {
            let written = HTTPDate(cookieDate).description
            try requireEqual(CookieDate.parse(written), cookieDate, "a date of a cookie is read the same: \(written)")
        }
        guard let date = HTTPDate(text, now: now) else { return }
        let written = date.description
        if date.date >= HTTPDate(.distantPast).date {
            try requireEqual(HTTPDate(written, now: now), date, "a date that is written is read the same: \(written)")
        }
        // Cookies have no years before 1601, no leap seconds, and another century for years of two digits.
        let isShortYear = text.utf8.contains(UInt8(ascii: "-"))
        if date.date.timeIntervalSince1970 >= -11_644_473_600, !isShortYear, !text.contains(":60") {
            try requireEqual(cookieDate, date.date, "two readers of dates agree")
        }
    }
}
