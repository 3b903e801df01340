import Foundation
import Pipeline
import Testing

/// The rules of the HTML Standard, section 9.2.6: every stream gives the same events wherever it is cut.
struct ServerSentEventParserTests {
    /// What a stream comes to.
    struct Reading: Equatable {
        var events: [ServerSentEvent] = []
        var lastEventID = ""
        var retry: Duration?
    }

    func read(_ pieces: [Data], after lastEventID: String = "") throws -> Reading {
        var parser = ServerSentEventParser(lastEventID: lastEventID)
        var reading = Reading()
        for piece in pieces {
            parser.append(piece)
            while let event = try parser.next() { reading.events.append(event) }
        }
        reading.lastEventID = parser.lastEventID
        reading.retry = parser.retry
        return reading
    }

    static let events: [(String, [ServerSentEvent])] = [
        // What makes an event
        ("", []), ("\n\n\n", []), ("data: a\n\n", [.init(data: "a")]), ("data: a", []), ("data: a\n", []),
        ("data: a\n\ndata: b", [.init(data: "a")]),
        ("data: a\n\n\n\ndata: b\n\n", [.init(data: "a"), .init(data: "b")]),
        // Line ends
        ("data: a\r\rdata: b\r\r", [.init(data: "a"), .init(data: "b")]),
        ("data: a\r\n\r\ndata: b\r\n\r\n", [.init(data: "a"), .init(data: "b")]),
        ("data: a\r\n\ndata: b\n\r", [.init(data: "a"), .init(data: "b")]),
        ("data: a\u{2028}b\u{85}c\n\n", [.init(data: "a\u{2028}b\u{85}c")]),
        // Data
        ("data:a\n\n", [.init(data: "a")]), ("data:  a\n\n", [.init(data: " a")]),
        ("data: a \n\n", [.init(data: "a ")]),
        ("data:\ta\n\n", [.init(data: "\ta")]), ("data: a: b\n\n", [.init(data: "a: b")]),
        ("data: a\ndata: b\n\n", [.init(data: "a\nb")]), ("data: a\ndata:\ndata: c\n\n", [.init(data: "a\n\nc")]),
        ("data\n\n", [.init(data: "")]), ("data:\n\n", [.init(data: "")]), ("data\ndata\n\n", [.init(data: "\n")]),
        ("data: €\ndata: 豆腐👩‍🚀\n\n", [.init(data: "€\n豆腐👩‍🚀")]), ("data: \0\n\n", [.init(data: "\0")]),
        // Types
        ("event: add\ndata: a\n\ndata: b\n\n", [.init(type: "add", data: "a"), .init(data: "b")]),
        ("event: add\nevent: remove\ndata: a\n\n", [.init(type: "remove", data: "a")]),
        ("event: add\nevent\ndata: a\n\n", [.init(data: "a")]), ("event: add\n\ndata: a\n\n", [.init(data: "a")]),
        // Identifiers
        ("id: 1\ndata: a\n\ndata: b\n\n", [.init(data: "a", lastEventID: "1"), .init(data: "b", lastEventID: "1")]),
        ("data: a\nid: 1\n\n", [.init(data: "a", lastEventID: "1")]),
        ("id: 1\n\ndata: a\n\n", [.init(data: "a", lastEventID: "1")]),
        ("id: 1\ndata: a\n\nid\ndata: b\n\n", [.init(data: "a", lastEventID: "1"), .init(data: "b")]),
        ("id: 1\nid: 2\0\ndata: a\n\n", [.init(data: "a", lastEventID: "1")]),
        ("id: é \ndata: a\n\n", [.init(data: "a", lastEventID: "é ")]),
        // Comments and what is unknown
        (": hello\ndata: a\n:\n\n", [.init(data: "a")]), (":\n\n:\n\n", []), (":data: a\n\n", []),
        ("Data: a\ndata : b\n data: c\nx\ndatas: d\ndata: e\n\n", [.init(data: "e")]),
        // Byte order marks
        ("\u{FEFF}data: a\n\n", [.init(data: "a")]), ("\u{FEFF}\u{FEFF}data: a\n\n", []),
        ("\u{FEFF}data: a\n\n\u{FEFF}data: b\n\ndata: \u{FEFF}c\n\n", [.init(data: "a"), .init(data: "\u{FEFF}c")]),
    ]

    @Test(arguments: events)
    func `reads the same events wherever the stream is cut`(stream: String, expected: [ServerSentEvent]) throws {
        for pieces in Data(stream).cuts {
            #expect(try read(pieces).events == expected, "\(pieces.map { Array($0) })")
        }
    }

    @Test(
        arguments: [
            ("retry: 2500\n", 2500), ("retry: 0\n", 0), ("retry:7\n\n", 7), ("retry: 1\nretry: 2x\n", 1),
            ("retry: -1\n", nil), ("retry: 1.5\n", nil), ("retry:\n", nil), ("retry\n", nil), ("retry: ٣\n", nil),
            ("retry: 1 \n", nil), ("retry: 99999999999999999999\n", .max), ("retry: 5", nil),
        ] as [(String, Int64?)]
    )
    func `takes a time to come back after, if it is made of digits`(stream: String, milliseconds: Int64?) throws {
        for pieces in Data(stream).cuts {
            #expect(try read(pieces).retry == milliseconds.map { .milliseconds($0) })
        }
    }

    @Test(arguments: [
        ("id: 1\ndata: a\n\n", "1"), ("id: 1\n\n", "1"), ("id: 1\n", "0"), ("id: 1\ndata: a\n\nid: 2\ndata: b\n", "1"),
        ("id\n\n", ""), ("data: a\n\n", "0"),
    ])
    func `the place in the stream is that of the last event that has ended`(stream: String, expected: String) throws {
        for pieces in Data(stream).cuts {
            #expect(try read(pieces, after: "0").lastEventID == expected)
        }
    }

    @Test func `bytes that are no text become the sign for that`() throws {
        let stream = Data("data: a") + Data([0xE2, 0x82, 0x0A]) + Data("data: b") + Data([0xFF, 0x0A, 0x0A])
        for pieces in stream.cuts {
            #expect(try read(pieces).events == [.init(data: "a\u{FFFD}\nb\u{FFFD}")])
        }
    }

    @Test(arguments: [
        ("data: 123\n\n", true), ("data: 1234567890", false), ("data: 12\ndata: 34\ndata: 56\n\n", true),
        ("data: 12\ndata: 34\ndata: 567\n\n", false), ("data: 12\n\ndata: 34\n\ndata: 567\n\n", true),
        ("data:1\ndata:2345\n\n", true), ("data: 3456\n\n", false), (":23456789\n:2345678\n", true),
    ])
    func `refuses a line or an event that is too long`(stream: String, isRead: Bool) throws {
        for pieces in Data(stream).cuts {
            var parser = ServerSentEventParser(upTo: 9)
            do throws(NetworkError) {
                for piece in pieces {
                    parser.append(piece)
                    while try parser.next() != nil {}
                }
                #expect(isRead)
            } catch {
                #expect(!isRead)
                #expect(error.code == .lineTooLong)
            }
        }
    }
}
