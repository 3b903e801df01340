import Foundation

/// What a contender is to do in one turn. It travels as arguments of a command, which the C program reads as well.
struct Work {
    enum Kind: String {
        /// Small documents, gathered in memory.
        case get
        /// Large documents, written to ``Work/file`` or dropped as they come.
        case download
        /// ``Work/file``, sent.
        case upload
    }

    let kind: Kind
    let url: URL
    /// How many times.
    var count = 1
    /// How many of them may be under way at once.
    var inFlight = 1
    /// The file that is written or sent; with ``Kind/get``, the only certificate to trust.
    var file: URL?

    init(_ kind: Kind, _ url: URL, count: Int = 1, inFlight: Int = 1, file: URL? = nil) {
        self.kind = kind
        self.url = url
        self.count = count
        self.inFlight = inFlight
        self.file = file
    }

    /// Reads the arguments that ``arguments`` gives.
    init?(arguments: [String]) {
        guard arguments.count == 5,
            let kind = Kind(rawValue: arguments[0]),
            let url = URL(string: arguments[1]),
            let count = Int(arguments[2]), count > 0,
            let inFlight = Int(arguments[3]), inFlight > 0
        else { return nil }
        let file = arguments[4] == "-" ? nil : URL(fileURLWithPath: arguments[4])
        self.init(kind, url, count: count, inFlight: inFlight, file: file)
    }

    /// The work as arguments of a command.
    var arguments: [String] { [kind.rawValue, url.absoluteString, "\(count)", "\(inFlight)", file?.path ?? "-"] }
}
