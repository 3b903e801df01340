public import Pipeline

/// What makes a request the one on a ``Cassette``, and how often and in which order it may come.
///
/// Method and URL always count. Secrets are compared as they were recorded, left out, so any value in their place matches.
public struct CassetteMatching: Sendable, Hashable {
    /// In which order requests may come.
    public enum Order: Sendable, Hashable {
        /// As recorded, each once. Not for requests that are sent side by side.
        case strict
        /// In any order; one that comes again gets the answers that were recorded for it in turn, and then the last for ever.
        case lenient
    }

    /// In which order requests may come.
    public var order: Order

    /// The header fields that must be equal; none unless told otherwise.
    public var headerNames: Set<HTTPFieldName>

    /// Whether the body must be equal: the same JSON, or the same bytes. It must unless told otherwise. A body that was not kept, as
    /// ``CassetteBody/omitted(size:)``, matches any other that would not be.
    public var comparesBody: Bool

    /// Creates rules.
    public init(_ order: Order, headerNames: Set<HTTPFieldName> = [], comparesBody: Bool = true) {
        self.order = order
        self.headerNames = headerNames
        self.comparesBody = comparesBody
    }

    /// In the order of the recording, each once, with equal bodies.
    public static let strict = CassetteMatching(.strict)
    /// In any order and as often as wanted, with equal bodies.
    public static let lenient = CassetteMatching(.lenient)

    /// What keeps a request from being the recorded one, as clauses; none if it is.
    func mismatches(_ request: Cassette.RecordedRequest, _ recorded: Cassette.RecordedRequest) -> [String] {
        var reasons: [String] = []
        if request.method != recorded.method { reasons.append("the method is \(request.method)") }
        if request.url != recorded.url { reasons.append("the URL is another") }
        for name in headerNames.sorted(by: { $0.spelling < $1.spelling }) {
            if request.values(of: name) != recorded.values(of: name) { reasons.append("the field \(name) is another") }
        }
        if comparesBody, let reason = mismatch(request.body, recorded.body) { reasons.append(reason) }
        return reasons
    }

    private func mismatch(_ body: CassetteBody, _ recorded: CassetteBody) -> String? {
        switch (body, recorded) {
        case (.omitted, .omitted): return nil
        case (.json(let body), .json(let recorded)):
            let place = JSONDifference(recorded, allowsMore: false).place(body)
            return place.map { $0.isEmpty ? "the body is other JSON" : "the body is other JSON at \($0)" }
        default: return body == recorded ? nil : "the body is another"
        }
    }
}

extension Cassette.RecordedRequest {
    fileprivate func values(of name: HTTPFieldName) -> [String] {
        headers.compactMap(HTTPField.init(line:)).filter { $0.name == name }.map(\.value)
    }
}

extension HTTPField {
    /// A field from its line on a cassette; `nil` if it has no colon.
    init?(line: String) {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let value = line[line.index(after: colon)...]
        self.init(name: HTTPFieldName(String(line[..<colon])), value: String(value.drop { $0 == " " }))
    }
}
