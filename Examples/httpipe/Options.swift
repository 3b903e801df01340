import Foundation
import Pipeline

/// What the command line asks for.
struct Options: Sendable {
    enum Command: Sendable {
        /// A request is sent.
        case send
        /// A request is shown as a line for curl.
        case curl
        /// The chain of a server is verified and printed.
        case pins
    }

    var command = Command.send
    /// The method, in capitals: one written small is a slip of the hand, since every registered method is in capitals.
    var method: HTTPMethod
    var url: URL
    var headers = HTTPHeaders()
    var query = Query()
    var body = BodyOptions()
    var result = ResultOptions()
    var timeout: Duration?
    var deadline: Duration?
    var redirects = RedirectPolicy.follow
    var log = LogLevel.error
    /// Whether the log is JSON, an object a line.
    var logsJSON = false
    var connection = ConnectionOptions()
    var actions = ActionOptions()
    /// The first option that was given and that only a request can honour.
    private var requestOption: String?

    /// Reads the arguments that follow the name of the program.
    ///
    /// - Throws: ``UsageError`` for the first thing that cannot be meant. Its text repeats no value of a header field.
    init(arguments: [String]) throws(UsageError) {
        var words = ArgumentReader(arguments)
        var operands: [String] = []
        method = .get
        url = URL(fileURLWithPath: "/")
        while let word = try words.next() {
            switch word {
            case .operand(let text): operands.append(text)
            case .option(let name):
                if try connection.read(name, from: &words) { continue }
                try read(name, from: &words, hasURL: Self.endWithURL(operands))
                requestOption = requestOption ?? name
            }
        }
        try read(operands)
        try actions.check()
        try result.check()
        if result.form == .events, body.upload != nil { throw UsageError("--sse takes no --upload") }
        try connection.tls.check()
    }

    private mutating func read(
        _ name: String,
        from words: inout ArgumentReader,
        hasURL: Bool
    ) throws(UsageError) {
        if try actions.read(name, from: &words) { return }
        if try body.read(name, from: &words) { return }
        if try result.read(name, from: &words, hasURL: hasURL) { return }
        switch name {
        case "-H": headers.append(try Self.field(words.value(of: name)))
        case "--query":
            let (item, value) = try words.pair(of: name)
            query.append(item, value)
        case "--timeout": timeout = try Self.duration(words.value(of: name), for: name)
        case "--deadline": deadline = try Self.duration(words.value(of: name), for: name)
        case "--follow": redirects.scope = try words.choice(of: name, among: Self.scopes)
        case "--max-redirects": redirects.limit = try Self.count(words.value(of: name), for: name)
        case "--log": log = try words.choice(of: name, among: LogLevel.names)
        case "--log-json": logsJSON = true
        case "--curl": command = .curl
        default: throw UsageError("there is no option \(Self.shown(name))")
        }
    }

    /// Whether the URL is among the operands, and not only a method.
    private static func endWithURL(_ operands: [String]) -> Bool {
        operands.last.map { $0 != pins && !$0.allSatisfy(\.isUppercase) } ?? false
    }

    /// An option without what was written to it: `-H'Authorization: …'` is how other programs take a field.
    private static func shown(_ name: String) -> String { name.hasPrefix("--") ? name : String(name.prefix(2)) }

    private mutating func read(_ operands: [String]) throws(UsageError) {
        guard let address = operands.last else { throw UsageError("the URL is missing") }
        // Not which: it can be the rest of a header field that was not quoted.
        guard operands.count <= 2 else {
            throw UsageError("there is more than a method and a URL; quote what has spaces")
        }
        // `httpipe POST` is more likely a URL forgotten than a host of that name.
        if operands.count == 1, !Self.endWithURL(operands) {
            throw UsageError("the URL is missing after \(address)")
        }
        if operands.count == 1 {
            method = body.method
        } else if operands[0] == Self.pins {
            command = .pins
            if let requestOption { throw UsageError("pins sends no request and takes no \(requestOption)") }
        } else {
            method = HTTPMethod(rawValue: operands[0].uppercased())
            if result.hasPlaceInDoubt, !Self.usualMethods.contains(method) {
                throw UsageError("write --download behind the URL, or --download=\(operands[0])")
            }
        }
        url = try URL(address: address, loopbackScheme: command == .pins ? "https" : "http")
    }

    private static let pins = "pins"
    private static let usualMethods: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete, .options]

    private static let scopes: KeyValuePairs<String, RedirectPolicy.Scope> = [
        "all": .anyOrigin, "same-origin": .sameOrigin, "none": .handBack,
    ]

    private static func field(_ text: String) throws(UsageError) -> HTTPField {
        guard let colon = text.firstIndex(of: ":") else { throw UsageError("write a header field as -H 'Name: value'") }
        let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        return HTTPField(name: HTTPFieldName(String(text[..<colon])), value: value)
    }

    /// Seconds, with fractions; `none` lifts the limit.
    private static func duration(_ text: String, for name: String) throws(UsageError) -> Duration {
        if text == "none" { return .unlimited }
        // Thirty years are as good as for ever, and far from what a Duration cannot hold.
        guard let seconds = Double(text), seconds > 0, seconds < 1e9 else {
            throw UsageError("\(name) takes seconds, more than 0, or none")
        }
        return .seconds(seconds)
    }

    static func count(_ text: String, for name: String) throws(UsageError) -> Int {
        guard let count = Int(text), count >= 0 else { throw UsageError("\(name) takes a whole number, 0 or more") }
        return count
    }
}
