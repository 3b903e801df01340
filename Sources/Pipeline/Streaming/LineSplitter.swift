package import Foundation

/// Finds the lines in bytes that come in pieces, wherever the pieces are cut.
///
/// A line ends with a line feed, a carriage return, or both. A carriage return ends its line at once; a line feed that follows
/// it belongs to it, also if it comes later. A byte order mark before the first line is left out (RFC 3629, section 6).
///
///     splitter.append(chunk)
///     while let line = try splitter.next() { … }
///     let last = try splitter.finish()                  // a last line that has no end
package struct LineSplitter: Sendable {
    /// A line is longer than allowed.
    package struct LineTooLong: Error, Equatable {
        /// Which one, counted from 1.
        package let number: Int
    }

    private let limit: Int
    /// What has not been looked at, from `place` on.
    private var bytes = Data()
    private var place = 0
    /// The beginning of a line whose end has not come.
    private var begun = Data()
    private var skipsLineFeed = false

    /// How many lines were handed out, which is the number of the last one.
    package private(set) var count = 0

    /// - Parameter limit: The length of the longest line, in bytes and without its end.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Adds bytes. The lines of those before were taken.
    package mutating func append(_ chunk: Data) {
        bytes = place == bytes.count ? chunk : bytes.dropFirst(place) + chunk
        place = 0
    }

    /// Takes the next line that has ended.
    package mutating func next() throws(LineTooLong) -> Data? {
        let (start, end) = bytes.withUnsafeBytes { bytes in
            let start = skipsLineFeed && place < bytes.count && bytes[place] == Self.lineFeed ? place + 1 : place
            return (start, bytes[start...].firstIndex { $0 == Self.lineFeed || $0 == Self.carriageReturn })
        }
        if place < bytes.count { skipsLineFeed = false }
        let part = bytes.dropFirst(start).prefix((end ?? bytes.count) - start)
        guard part.count <= limit - begun.count else { throw LineTooLong(number: count + 1) }
        begun.append(part)
        guard let end else {
            place = bytes.count
            return nil
        }
        skipsLineFeed = bytes[bytes.startIndex + end] == Self.carriageReturn
        place = end + 1
        return takeLine()
    }

    /// Takes what stands behind the last end of a line, if there is something. To be called at the end of the bytes, when all
    /// lines before were taken.
    package mutating func finish() -> Data? {
        begun.isEmpty ? nil : takeLine()
    }

    private mutating func takeLine() -> Data {
        defer { begun = Data() }
        count += 1
        return count == 1 && begun.starts(with: TextCharset.utf8Mark)
            ? begun.dropFirst(TextCharset.utf8Mark.count) : begun
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
}
