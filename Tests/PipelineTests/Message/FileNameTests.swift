import Foundation
import Pipeline
import Testing

struct FileNameTests {
    @Test(
        arguments: [
            ("a.txt", "a.txt"), ("übung €.txt", "übung €.txt"), ("a..b", "a..b"), ("x (2).txt", "x (2).txt"),
            // Paths
            ("/etc/passwd", "passwd"), ("a/b/c.txt", "c.txt"), (#"C:\dir\c.txt"#, "c.txt"), (#"a/b\c/d"#, "d"),
            ("a/", nil),
            ("a\\", nil), ("/\u{301}x", "\u{301}x"),
            // Dots and blanks
            (".", nil), ("..", nil), ("...", nil), ("../..", nil), (".bashrc", "bashrc"), ("..a", "a"), (" . a", "a"),
            ("a.txt. .", "a.txt"), ("", nil), ("   ", nil),
            // Signs that make a name lie, or end it
            ("a\u{0}b\nc\r\td\u{7F}\u{85}.txt", "abcd.txt"), ("a\u{202E}txt.exe", "atxt.exe"),
            ("<a>:\"b|c?*.txt", "_a___b_c__.txt"),
            // Devices
            ("CON", "_CON"), ("nul.txt", "_nul.txt"), ("Com1.log", "_Com1.log"), ("lpt9", "_lpt9"),
            ("aux .x", "_aux .x"), ("con.\u{301}txt", "_con.\u{301}txt"),
            ("COM", "COM"), ("COM10", "COM10"), ("console", "console"),
        ] as [(String, String?)]
    )
    func `makes a name out of any text`(given: String, name: String?) {
        #expect(FileName(cleaning: given)?.text == name)
    }

    @Test(arguments: [
        (String(repeating: "a", count: 255), 255, "aaaa"), (String(repeating: "a", count: 300), 255, "aaaa"),
        (String(repeating: "a", count: 300) + ".tar.gz", 255, ".gz"),
        // Four bytes each: a character is left whole.
        (String(repeating: "😀", count: 100) + ".png", 4 * 62 + 4, "😀.png"),
        // No extension that anybody meant
        (String(repeating: "a", count: 254) + "." + String(repeating: "b", count: 40), 254, "aaaa"),
        ("a." + String(repeating: "b", count: 300), 255, "bbbb"),
    ])
    func `cuts a long name in front of its extension`(given: String, length: Int, end: String) throws {
        let name = try #require(FileName(cleaning: given)).text
        #expect(name.utf8.count == length)
        #expect(name.hasSuffix(end))
    }

    @Test(arguments: [("", 127), (".pdf", 125)])
    func `cuts a character that is longer than a name between its marks`(suffix: String, left: Int) throws {
        func name(_ marks: Int) -> String { "a" + String(repeating: "\u{301}", count: marks) + suffix }
        #expect(FileName(cleaning: name(128))?.text == name(left))
        #expect(try #require(FileName(cleaning: name(left))).numbered(2).text.utf8.count <= 255)
    }

    @Test func `numbers go in front of the extension and fit`() throws {
        #expect(FileName(cleaning: "report.pdf")?.numbered(2).text == "report (2).pdf")
        #expect(FileName(cleaning: "README")?.numbered(10).text == "README (10)")
        let long = try #require(FileName(cleaning: String(repeating: "a", count: 251) + ".pdf"))
        #expect(long.numbered(3).text.hasSuffix("a (3).pdf"))
        #expect(long.numbered(3).text.utf8.count == 255)
    }

    @Test(arguments: [
        ("https://x.test/a/b.txt?c=d.txt#e", "b.txt"), ("https://x.test/a/", "a"), ("https://x.test/", "download"),
        ("https://x.test", "download"), ("https://x.test/%e2%82%ac%20a.txt", "€ a.txt"),
        ("https://x.test/a%2Fb", "b"), ("https://x.test/..%2f..%2f", "download"), ("https://x.test/a%5Cb", "b"),
        ("https://x.test/%00", "download"), ("https://x.test/%FF.txt", "%FF.txt"),
        ("https://x.test/%2e%2e", "download"),
    ])
    func `is taken from the last segment of a path`(url: String, name: String) throws {
        #expect(FileName(lastSegmentOf: try #require(URL(string: url))).text == name)
    }
}
