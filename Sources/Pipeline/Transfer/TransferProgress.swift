import Foundation

/// How far a send has got with what it uploads, or with what it downloads.
///
/// Each value tells about one ``direction``. A request with a body has both, and each counts for itself: to show an upload,
/// look at the values of that direction and pass over the others.
public struct TransferProgress: Sendable, Hashable {
    /// Which way bytes go.
    public enum Direction: Sendable, Hashable, CaseIterable {
        /// The body of the request, to the server.
        case upload
        /// The body of the response, from the server.
        case download
    }

    /// Which body it is.
    public var direction: Direction

    /// How many bytes of it are over. It never falls, also where a retry or a redirect begins anew: nothing is told until
    /// that has caught up.
    ///
    /// Of an upload those that were handed to the connection, of a download those that have come, after decompression, with
    /// what a resumed one had from before. Responses that are not acceptable, and redirects, are no download.
    public var completed: Int

    /// How many there are in all; `nil` if that is not known, as for a compressed body.
    public var total: Int?

    /// How many bytes a second moved of late, if it has lasted long enough to tell. What is sent again counts.
    public var rate: Double?

    /// Creates a value.
    public init(_ direction: Direction, completed: Int, total: Int? = nil, rate: Double? = nil) {
        self.direction = direction
        self.completed = completed
        self.total = total
        self.rate = rate
    }

    /// How much of it is over, from 0 to 1; `nil` if the total is not known.
    public var fraction: Double? {
        guard let total else { return nil }
        return total > 0 ? min(1, Double(completed) / Double(total)) : 1
    }

    /// How long the rest takes if it goes on like this; `nil` if the total or the rate is not known, or nothing moves.
    public var timeLeft: Duration? {
        guard let total, let rate, rate > 0 else { return nil }
        // A server can announce more than a duration can hold.
        return .seconds(min(Double(max(0, total - completed)) / rate, 1e15))
    }
}

extension TransferProgress: CustomStringConvertible {
    /// A line for a person, in the language and the units of the current locale: `4.5 MB of 10 MB, 1.2 MB/s, 0:05 left`.
    public var description: String {
        var text = Self.text(completed)
        if let total { text += " of \(Self.text(total))" }
        if let rate { text += ", \(Self.text(Int(exactly: rate.rounded()) ?? .max))/s" }
        if let timeLeft { text += ", \(timeLeft.formatted(.time(pattern: .minuteSecond))) left" }
        return text
    }

    private static func text(_ bytes: Int) -> String { Int64(bytes).formatted(.byteCount(style: .file)) }
}
