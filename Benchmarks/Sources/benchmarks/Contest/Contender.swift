import Foundation

/// Who does the work.
///
/// Each has a process of its own for each turn: so its peak of memory is its own, none profits from what another left behind,
/// and the C program is treated like all others.
enum Contender: String {
    /// The C program on libcurl's multi interface.
    case baseline
    /// `CurlTransport` by itself.
    case transport
    /// A network without actions over `CurlTransport`. Bodies are taken as they are.
    case network
    /// A network with five actions over `CurlTransport`. Bodies are decoded.
    case pipeline
    /// `URLSession` as a program without this package would use it.
    case session

    /// How it is called in figures.
    var label: String {
        switch self {
        case .baseline: "c"
        case .transport: "curl-transport"
        case .network: "network"
        case .pipeline: "five-actions"
        case .session: "urlsession"
        }
    }

    /// The argument that makes this program a contender; what follows are the name of one and its work.
    static let argument = "--contender"

    /// What a turn brought to light.
    struct Turn {
        /// How long the work took, without the start of the process and what warmed it up.
        let time: Duration
        /// The most memory that the process held, in MiB.
        let peak: Double
    }

    /// Does the work in a process of its own.
    ///
    /// - Parameters:
    ///   - work: What to do.
    ///   - baseline: The C program, if it has been compiled.
    func takeTurn(_ work: Work, baseline: Baseline? = nil) async throws -> Turn {
        // Whoever came before left a file of a gigabyte. Writing over it costs less than writing beside it and taking its place.
        if work.kind == .download, let file = work.file { try? FileManager.default.removeItem(at: file) }
        let output: String
        if self == .baseline {
            guard let baseline else { throw BenchmarkFailure("the C program has not been compiled") }
            output = try await ChildProcess.output(of: baseline.program, work.arguments)
        } else {
            guard let program = Bundle.main.executableURL else { throw BenchmarkFailure("this program has no file") }
            output = try await ChildProcess.output(of: program, [Self.argument, rawValue] + work.arguments)
        }
        let fields = output.split(whereSeparator: \.isWhitespace)
        guard fields.count == 2, let seconds = Double(fields[0]), let peak = Double(fields[1]) else {
            throw BenchmarkFailure("the contender \(self) wrote \"\(output)\" and not a time and a peak")
        }
        return Turn(time: .seconds(seconds), peak: peak / 1024)
    }
}
