public import Pipeline

/// A place in a distributed trace, as services tell each other (W3C Trace Context, level 1).
public struct TraceContext: Sendable, Hashable, CustomStringConvertible {
    /// The identity of the whole trace: 32 hexadecimal digits in lower case, not all zero.
    public let traceID: String

    /// The identity of the operation that is under way, and the parent of those it asks for: 16 hexadecimal digits in lower
    /// case, not all zero.
    public let spanID: String

    /// Whether whoever asks may have recorded the trace.
    public var isSampled: Bool

    /// What vendors of tracing systems pass on, as it came; `nil` if there is nothing.
    public var state: String?

    /// Takes the identities of a trace, from the program's tracing library for one.
    ///
    /// - Returns: `nil` if one of them is no such identity.
    public init?(traceID: String, spanID: String, isSampled: Bool, state: String? = nil) {
        guard Self.isIdentity(traceID, digits: 32), Self.isIdentity(spanID, digits: 16) else { return nil }
        self.traceID = traceID
        self.spanID = spanID
        self.isSampled = isSampled
        self.state = state
    }

    /// Reads the fields of a message.
    ///
    /// A version that came after this one is read as far as it is known. Where `traceparent` cannot be read, `tracestate`
    /// means nothing.
    ///
    /// - Returns: `nil` if there is no `traceparent`, or it cannot be read.
    public init?(in headers: HTTPHeaders) {
        guard let field = headers[.traceparent] else { return nil }
        let parts = field.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 4, Self.isHexadecimal(parts[0], digits: 2), parts[0] != "ff",
            parts[0] != "00" || parts.count == 4, Self.isHexadecimal(parts[3], digits: 2),
            let flags = UInt8(parts[3], radix: 16)
        else { return nil }
        let state = headers.values(of: .tracestate).filter { !$0.isEmpty }.joined(separator: ",")
        self.init(
            traceID: parts[1],
            spanID: parts[2],
            isSampled: flags & 1 == 1,
            state: state.isEmpty ? nil : state
        )
    }

    /// Begins a trace.
    ///
    /// - Parameters:
    ///   - isSampled: Whether the program may record it.
    ///   - generator: The source of randomness.
    public init(isSampled: Bool, using generator: inout some RandomNumberGenerator) {
        traceID = Self.identity(words: 2, using: &generator)
        spanID = Self.identity(words: 1, using: &generator)
        self.isSampled = isSampled
    }

    /// A new operation within this trace.
    public func child(using generator: inout some RandomNumberGenerator) -> TraceContext {
        TraceContext(self, spanID: Self.identity(words: 1, using: &generator))
    }

    private init(_ parent: TraceContext, spanID: String) {
        traceID = parent.traceID
        self.spanID = spanID
        isSampled = parent.isSampled
        state = parent.state
    }

    /// The value of a `traceparent` field. Flags that level 1 does not know are not passed on.
    public var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    /// The value of a `traceparent` field.
    public var description: String { traceparent }

    private static func identity(words: Int, using generator: inout some RandomNumberGenerator) -> String {
        let numbers = (0..<words).map { _ in generator.next() }
        // All zero means none. It comes up once in an eternity, or always from a generator that is broken.
        guard numbers.contains(where: { $0 != 0 }) else { return String(repeating: "0", count: words * 16 - 1) + "1" }
        return numbers.map { number in
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    private static func isIdentity(_ text: String, digits: Int) -> Bool {
        isHexadecimal(text, digits: digits) && text.utf8.contains { $0 != UInt8(ascii: "0") }
    }

    private static func isHexadecimal(_ text: String, digits: Int) -> Bool {
        text.utf8.count == digits
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }
}

extension NetworkRequest {
    /// The place in a trace that the request tells the server, in the fields `traceparent` and `tracestate`; `nil` if there
    /// is none that can be read.
    public var traceContext: TraceContext? {
        get { TraceContext(in: headers) }
        set {
            headers[.traceparent] = newValue?.traceparent
            headers[.tracestate] = newValue?.state
        }
    }
}
