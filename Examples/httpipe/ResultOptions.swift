import Foundation
import Pipeline

/// What becomes of the answer: where it goes, and in which form.
struct ResultOptions: Sendable {
    enum Form: Sendable {
        /// The bytes of the body, while they arrive.
        case bytes
        /// A line at a time.
        case lines
        /// Server-sent events, an object of JSON for each.
        case events
    }

    private(set) var form = Form.bytes
    /// Where the body goes; standard output if `nil`.
    private(set) var file: String?
    /// Where a download goes, a file or a folder.
    private(set) var download: String?
    /// Whether `--download` came before the URL and without a place, so that a word behind it is read as the method.
    private(set) var hasPlaceInDoubt = false
    private(set) var isResumed = false
    private(set) var showsProgress = false
    /// Whether status line and header fields go out before the body.
    private(set) var showsHead = false
    /// Whether times and sizes are told at the end.
    private(set) var showsMetrics = false
    /// The statuses that end with exit status 0. The body of any other is printed all the same.
    private(set) var accepted = HTTPStatusSet.success
    /// The largest body to take, in bytes.
    private(set) var bodyLimit: Int?

    /// Whether the body goes to a file, once it is whole.
    var isKept: Bool { download != nil || file.map { $0 != "-" && !Output.mustBeWrittenInto($0) } ?? false }

    /// Reads an option, if it is one of these.
    ///
    /// - Parameter hasURL: Whether the URL was there already, so that a word behind `--download` is its place.
    /// - Returns: Whether it is.
    mutating func read(
        _ name: String,
        from words: inout ArgumentReader,
        hasURL: Bool
    ) throws(UsageError) -> Bool {
        switch name {
        case "-i": showsHead = true
        case "-o": file = try words.value(of: name)
        case "--download":
            let place = words.optionalValue(orNextWord: hasURL)
            hasPlaceInDoubt = place == nil && !hasURL
            download = place ?? "."
        case "--resume": isResumed = true
        case "--progress": showsProgress = true
        case "--lines": form = .lines
        case "--sse": form = .events
        case "--metrics": showsMetrics = true
        case "--accept": accepted = try Self.statuses(words.value(of: name), for: name)
        case "--limit-body": bodyLimit = try Options.count(words.value(of: name), for: name)
        default: return false
        }
        return true
    }

    /// Refuses options that mean nothing without another, or nothing together.
    func check() throws(UsageError) {
        if isResumed, download == nil { throw UsageError("--resume needs --download") }
        if download != nil, file != nil { throw UsageError("one of -o and --download") }
        guard form != .bytes else { return }
        if form == .events, let option = optionOfOneAnswer { throw UsageError("--sse takes no \(option)") }
        if download != nil { throw UsageError("--download takes the bytes as they are, not --lines or --sse") }
        if isKept {
            throw UsageError("-o takes the bytes as they are, not --lines or --sse; redirect the output")
        }
    }

    /// An option that was given and speaks of one answer, where events come from many.
    private var optionOfOneAnswer: String? {
        if showsHead { return "-i" }
        if showsMetrics { return "--metrics" }
        if showsProgress { return "--progress" }
        return accepted == .success ? nil : "--accept"
    }

    private static func statuses(_ text: String, for name: String) throws(UsageError) -> HTTPStatusSet {
        do { return try HTTPStatusSet(parsing: text) } catch { throw UsageError("\(name): \(error.reason)") }
    }
}
