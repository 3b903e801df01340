import Foundation

/// What is known about a file that is not whole yet: enough to ask for the rest of exactly this state of it.
struct PartialNote: Sendable, Hashable, Codable {
    /// What tells this state from all others.
    var validator: RangeValidator
    /// The length of the whole file, in bytes, if it is known.
    var total: Int?
    /// Where the bytes came from: the URL of the last hop without its query, which for signed URLs is another each time.
    var source: String

    /// What is kept of a URL.
    static func source(_ url: URL) -> String {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "" }
        (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
        return parts.string ?? ""
    }

    /// Makes a note of a response whose body is the whole file.
    ///
    /// - Returns: `nil` if its rest cannot be asked for later: it has no strong validator, is compressed, or its server says
    ///   that it knows no ranges (RFC 9110, section 14.3).
    init?(of response: NetworkResponse, now: Date) {
        let headers = response.headers
        guard !headers.isContentCoded, headers[.acceptRanges]?.lowercased() != "none",
            let validator = RangeValidator(strongIn: headers, now: now)
        else { return nil }
        self.validator = validator
        total = headers.announcedLength
        source = Self.source(response.url)
    }

    /// What to ask for, with so many bytes there already.
    ///
    /// - Returns: `nil` if the rest cannot be asked for at this URL: there is no byte yet, more than there can be, or the bytes
    ///   came from elsewhere.
    func question(at url: URL, having length: Int) -> ResumeDecision.Question? {
        guard length > 0, length <= total ?? .max, source == Self.source(url) else { return nil }
        return ResumeDecision.Question(start: length - 1, validator: validator, total: total)
    }
}
