import Foundation
import PipelineActions
import Testing

struct LogFormatTests {
    let date = Date(timeIntervalSince1970: 1_772_366_400.25)

    @Test func `a line for people`() {
        let entry = LogEntry(.warning, "late", details: ["a: 1", "", "b"], fields: [.init("n", 1)], date: date)
        #expect(LineFormat.plain.text(for: entry) == "late\n    a: 1\n\n    b")
        #expect(LineFormat.stamped.text(for: entry).hasPrefix("2026-03-01T12:00:00.250Z warning late\n"))
        #expect("\(entry)" == LineFormat.plain.text(for: entry))
    }

    @Test func `a line for programs`() throws {
        let entry = LogEntry(
            .info,
            "say \"hi\"",
            fields: [
                .init("status", 200), .init("share", 0.5), .init("ok", true), .init("level", "mine"),
                .init("list", .list(["a", 1])), .init("inner", .fields([.init("b", "c")])), .init("no", .number(.nan)),
            ],
            date: date
        )
        let text = JSONLinesFormat().text(for: entry)
        #expect(
            text
                == #"{"time":"2026-03-01T12:00:00.250Z","level":"info","message":"say \"hi\"","status":200,"share":0.5,"#
                + #""ok":true,"_level":"mine","list":["a",1],"inner":{"b":"c"},"no":null}"#
        )
    }

    @Test func `control characters are escaped in every rendering`() throws {
        let nasty = "a\n\u{1B}[2Jb\u{202E}c\u{85}\u{2028}\r\u{7F}\u{0}\t"
        let entry = LogEntry(.info, nasty, details: [nasty], fields: [.init(nasty, .text(nasty))], date: date)
        for text in [LineFormat.plain.text(for: entry), JSONLinesFormat().text(for: entry)] {
            let breaks = text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
            #expect(breaks == (text.hasPrefix("{") ? 0 : 1))
            #expect(
                text.unicodeScalars.allSatisfy { scalar in
                    scalar == "\n"
                        || !["\u{202E}", "\u{2028}"].contains(scalar)
                            && scalar.properties.generalCategory != .control
                }
            )
        }
        let json = try JSONSerialization.jsonObject(with: Data(JSONLinesFormat().text(for: entry).utf8))
        #expect((json as? [String: Any])?[nasty] as? String == nasty)
        #expect((json as? [String: Any])?["message"] as? String == nasty)
    }
}
