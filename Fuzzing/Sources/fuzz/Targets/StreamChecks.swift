import Foundation

@testable import Pipeline

/// Readers of streams: wherever the bytes are cut, what is read is the same.
enum StreamChecks {
    /// What lines come to.
    private struct Lines: Equatable {
        var lines: [Data] = []
        var tooLong: Int?
    }

    static func lines(_ data: Data) throws {
        for limit in [8, 1 << 20] {
            let whole = lines(in: [data], limit: limit)
            try requireEqual(
                whole,
                lines(in: data.pieces, limit: limit),
                "lines are the same in pieces, limit \(limit)"
            )
            try requireEqual(
                whole,
                lines(in: data.single, limit: limit),
                "lines are the same byte by byte, limit \(limit)"
            )
            try require(
                whole.lines.allSatisfy { $0.count <= limit && !$0.contains(10) && !$0.contains(13) },
                "a line is within its limit and has no end in it"
            )
        }
        try requireEqual(lines(in: [data], limit: 1 << 20).lines, split(data), "lines are those of a plain split")
    }

    private static func lines(in pieces: [Data], limit: Int) -> Lines {
        var splitter = LineSplitter(limit: limit)
        var reading = Lines()
        do {
            for piece in pieces {
                splitter.append(piece)
                while let line = try splitter.next() { reading.lines.append(line) }
            }
            if let last = splitter.finish() { reading.lines.append(last) }
        } catch {
            reading.tooLong = error.number
        }
        return reading
    }

    /// The lines of bytes that are all there.
    private static func split(_ data: Data) -> [Data] {
        var lines: [Data] = []
        var line = Data()
        var last: UInt8 = 0
        var isMarkPossible = true
        func ended(_ line: Data) -> Data {
            defer { isMarkPossible = false }
            return isMarkPossible && line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
        }
        for byte in data {
            if byte == 10 || byte == 13 {
                if byte == 13 || last != 13 { lines.append(ended(line)) }
                line = Data()
            } else {
                line.append(byte)
            }
            last = byte
        }
        return line.isEmpty ? lines : lines + [ended(line)]
    }

    /// What a stream of events comes to.
    private struct Events: Equatable {
        var events: [ServerSentEvent] = []
        var lastEventID = ""
        var retry: Duration?
        var isTooLong = false
    }

    static func events(_ data: Data) throws {
        for limit in [16, 1 << 20] {
            let whole = events(in: [data], limit: limit)
            try requireEqual(
                whole,
                events(in: data.pieces, limit: limit),
                "events are the same in pieces, limit \(limit)"
            )
            try requireEqual(
                whole,
                events(in: data.single, limit: limit),
                "events are the same byte by byte, limit \(limit)"
            )
            try require(whole.retry.map { $0 >= .zero } ?? true, "no pause is negative")
            for event in whole.events {
                try require(!event.type.isEmpty, "a type is never empty")
                for text in [event.type, event.lastEventID] {
                    try require(!text.utf8.contains { $0 == 10 || $0 == 13 }, "types and identifiers have one line")
                }
                try require(!event.lastEventID.utf8.contains(0), "an identifier has no NUL")
                try require(!event.data.utf8.contains(13), "data has no carriage return")
            }
        }
        // A stream that goes on in another connection goes on where it was.
        let rest = try events(in: Data("\n\ndata: x\n\n".utf8), after: events(in: [data], limit: 1 << 20).lastEventID)
        try requireEqual(rest.last?.data, "x", "a stream that is begun anew is read")
    }

    private static func events(in data: Data, after lastEventID: String) throws -> [ServerSentEvent] {
        var parser = ServerSentEventParser(lastEventID: lastEventID)
        parser.append(data)
        var events: [ServerSentEvent] = []
        while let event = try parser.next() { events.append(event) }
        try require(events.allSatisfy { $0.lastEventID == lastEventID }, "an identifier outlasts its connection")
        return events
    }

    private static func events(in pieces: [Data], limit: Int) -> Events {
        var parser = ServerSentEventParser(upTo: limit)
        var reading = Events()
        do {
            for piece in pieces {
                parser.append(piece)
                while let event = try parser.next() { reading.events.append(event) }
            }
        } catch {
            reading.isTooLong = true
        }
        reading.lastEventID = parser.lastEventID
        reading.retry = parser.retry
        return reading
    }
}
