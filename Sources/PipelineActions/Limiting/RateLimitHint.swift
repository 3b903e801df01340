public import Foundation
public import Pipeline

/// What a response says about a limit of its server: how many more requests it allows, and for how long that holds.
///
/// Read are `Retry-After` with the statuses 429 and 503 (RFC 6585, section 4; RFC 9110, sections 10.2.3 and 15.6.4), which
/// means that no request is allowed until then; `RateLimit` together with `RateLimit-Policy`
/// (draft-ietf-httpapi-ratelimit-headers, the form of its versions 3 to 7 included); and what was common before:
/// `RateLimit-Remaining` with `RateLimit-Reset`, the same with `X-RateLimit-` and `X-Rate-Limit-`, and
/// `X-RateLimit-Reset-After`. A moment of reset above 1,000,000,000 is taken for the seconds since 1970 that some servers
/// send, above 1,000,000,000,000 for milliseconds; any other number for seconds from now. What cannot be read says nothing.
public struct RateLimitHint: Sendable, Hashable, CustomStringConvertible {
    /// The name of the limit; that of the field where limits have no names.
    public var name: String
    /// How many more requests are allowed.
    public var remaining: Int
    /// For how long, from when the response arrived.
    public var reset: Duration

    /// Creates a hint.
    public init(name: String, remaining: Int, reset: Duration) {
        self.name = name
        self.remaining = remaining
        self.reset = reset
    }

    public var description: String { "\(remaining) more within \(reset) (\(name))" }

    /// Reads the hints of a response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - date: When it arrived, on the wall clock; fields that hold a date are measured from it.
    public static func hints(in response: NetworkResponse, at date: Date) -> [RateLimitHint] {
        hints(in: response.headers, status: response.status, at: date)
    }

    static func hints(in headers: HTTPHeaders, status: HTTPStatus, at date: Date) -> [RateLimitHint] {
        var hints: [RateLimitHint] = []
        if [429, 503].contains(status.code), let asked = RetryAfter(in: headers, now: date) {
            hints.append(RateLimitHint(name: "Retry-After", remaining: 0, reset: asked.delay(from: date)))
        }
        let standard = structured(in: headers)
        if !standard.isEmpty { return hints + standard }
        for prefix in ["RateLimit", "X-RateLimit", "X-Rate-Limit"] {
            if let hint = separate(prefix, in: headers, at: date) { return hints + [hint] }
        }
        return hints
    }

    // MARK: RateLimit

    /// `"default";r=50;t=30` with `"default";q=100;w=60`, or `limit=100, remaining=50, reset=30`.
    private static func structured(in headers: HTTPHeaders) -> [RateLimitHint] {
        let members = headers.values(of: "RateLimit").flatMap { pieces(of: $0, at: ",") }
        let windows = headers.values(of: "RateLimit-Policy").flatMap { pieces(of: $0, at: ",") }
            .reduce(into: [String: Double]()) { windows, member in
                let (name, parameters) = item(member)
                windows[name] = parameters["w"].flatMap(number)
            }
        let items = members.compactMap { member -> RateLimitHint? in
            let (name, parameters) = item(member)
            guard let remaining = parameters["r"].flatMap(number),
                let reset = (parameters["t"].flatMap(number) ?? windows[name]).flatMap(duration)
            else { return nil }
            return RateLimitHint(name: name, remaining: count(remaining), reset: reset)
        }
        if !items.isEmpty { return items }
        let pairs = members.reduce(into: [String: String]()) { pairs, member in
            let (name, value) = pair(pieces(of: member, at: ";").first ?? "")
            pairs[name] = value
        }
        guard let remaining = pairs["remaining"].flatMap(number),
            let reset = pairs["reset"].flatMap(number).flatMap(duration)
        else { return [] }
        return [RateLimitHint(name: "RateLimit", remaining: count(remaining), reset: reset)]
    }

    private static func item(_ member: String) -> (name: String, parameters: [String: String]) {
        let parts = pieces(of: member, at: ";")
        let name = (parts.first ?? "").trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        let parameters = parts.dropFirst().reduce(into: [String: String]()) { parameters, part in
            let (key, value) = pair(part)
            parameters[key] = value
        }
        return (name, parameters)
    }

    private static func pair(_ text: String) -> (String, String?) {
        let parts = text.unicodeScalars.split(separator: "=", maxSplits: 1)
            .map { String($0).trimmingCharacters(in: .whitespaces) }
        return (parts.first?.lowercased() ?? "", parts.count == 2 ? parts[1] : nil)
    }

    /// The parts between separators that do not stand in quotes (RFC 9651, sections 3.1 and 3.3.3).
    private static func pieces(of text: String, at separator: Unicode.Scalar) -> [String] {
        var isQuoted = false
        var isEscaped = false
        // Scalars and not characters: with an accent behind it a quotation mark is another character.
        return text.unicodeScalars.split(omittingEmptySubsequences: false) { scalar in
            defer { isEscaped = isQuoted && scalar == "\\" && !isEscaped }
            if scalar == "\"", !isEscaped { isQuoted.toggle() }
            return scalar == separator && !isQuoted
        }
        .map { String($0).trimmingCharacters(in: .whitespaces) }
    }

    // MARK: What was common before

    private static func separate(_ prefix: String, in headers: HTTPHeaders, at date: Date) -> RateLimitHint? {
        func field(_ name: String) -> Double? {
            headers.values(of: HTTPFieldName("\(prefix)-\(name)")).first.flatMap(number)
        }
        guard let remaining = field("Remaining"),
            let reset = field("Reset-After") ?? field("Reset").map({ seconds(untilReset: $0, at: date) }),
            let pause = duration(reset)
        else { return nil }
        return RateLimitHint(name: prefix, remaining: count(remaining), reset: pause)
    }

    private static func seconds(untilReset value: Double, at date: Date) -> Double {
        if value > 1e12 { return max(0, value / 1000 - date.timeIntervalSince1970) }
        return value > 1e9 ? max(0, value - date.timeIntervalSince1970) : value
    }

    // MARK: Numbers

    /// A number of zero or more.
    private static func number(in text: String) -> Double? {
        let bare = text.trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
        guard bare.first?.isASCII == true, bare.first?.isNumber == true, let number = Double(bare), number.isFinite
        else {
            return nil
        }
        return number
    }

    private static func count(_ number: Double) -> Int { Int(min(number, 1e15)) }

    /// At most some thousand years, which any sensible cap is below of.
    private static func duration(_ seconds: Double) -> Duration? { .seconds(min(seconds, 1e11)) }
}
