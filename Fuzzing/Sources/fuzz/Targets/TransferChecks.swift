import Foundation

@testable import Pipeline

/// What decides on downloads, and the frames of WebSockets.
enum TransferChecks {
    static func dispositions(_ field: String) throws {
        guard let disposition = ContentDisposition(field) else { return }
        try require(HTTPSyntax.isToken(disposition.type), "a type is a token")
        guard let name = disposition.fileName else { return }
        try require((1...255).contains(name.utf8.count), "a file name has 1 to 255 bytes: \(name)")
        try require(
            !name.hasPrefix(".") && !name.unicodeScalars.contains { "/\\:*?\"<>|".unicodeScalars.contains($0) },
            "a file name is no path, and not hidden: \(name)"
        )
        try require(
            !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F },
            "a file name has no control characters"
        )
        try requireEqual(FileName(cleaning: name)?.text, name, "a clean name stays as it is")
    }

    static func ranges(_ field: String) throws {
        guard let range = ContentRange(field) else { return }
        if let bytes = range.bytes {
            try require(bytes.lowerBound >= 0, "places are not negative")
            try require(range.total.map { bytes.upperBound < $0 } ?? true, "a part is within its whole")
        } else {
            try require(range.total != nil, "a range that was not satisfied says how long the whole is")
        }
    }

    static func digests(_ field: String) throws {
        guard let digests = DigestField(field)?.digests else { return }
        try require(digests.keys.allSatisfy { [.sha256, .sha512].contains($0) }, "only what is safe is compared")
        let members = digests.map { "sha-\($0 == .sha256 ? 256 : 512)=:\($1.base64EncodedString()):" }
        let again = DigestField(members.joined(separator: ", "))?.digests
        try requireEqual(again ?? [:], digests, "what is written is read the same")
    }

    static func frames(_ data: Data) throws {
        for role in [WebSocketSession.Role.client, .server] {
            let whole = events(in: [data], role)
            try requireEqual(whole, events(in: data.pieces, role), "events are the same in pieces")
            try requireEqual(whole, events(in: data.single, role), "events are the same byte by byte")
            for case .message(let message) in whole.events {
                try require(message.size <= limit, "a message is within its limit")
            }
            let ends = whole.events.filter {
                if case .closed = $0 { true } else if case .failed = $0 { true } else { false }
            }
            try require(ends.count <= 1, "a connection ends once")
            try require(ends.isEmpty || whole.events.last == ends[0], "nothing follows the end")
        }
    }

    private static let limit = 64

    /// What a session makes of bytes, and what it sends for them; the masks of a client are chosen by chance, so of that only
    /// the length counts.
    private struct Reading: Equatable {
        var events: [WebSocketSession.Event] = []
        var answered = 0
    }

    private static func events(in pieces: [Data], _ role: WebSocketSession.Role) -> Reading {
        var session = WebSocketSession(role, maximumMessageSize: limit)
        var reading = Reading()
        var output = Data()
        for piece in pieces {
            session.receive(piece)
            while let event = session.next(sending: &output) { reading.events.append(event) }
        }
        reading.answered = output.count
        return reading
    }
}
