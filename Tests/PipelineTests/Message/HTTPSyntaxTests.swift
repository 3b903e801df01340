import Pipeline
import Testing

struct HTTPSyntaxTests {
    @Test func `takes exactly the bytes of a token`() {
        let signs = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        let accepted = (0...0x7F).map { String(Unicode.Scalar($0)!) }.filter(HTTPSyntax.isToken)
        #expect(Set(accepted) == Set(signs.map(String.init)))
        #expect(!HTTPSyntax.isToken(""))
    }

    @Test func `takes every byte within a value but the control characters`() {
        let accepted = (UInt8(0)...0x7F).filter { HTTPSyntax.isFieldValue("a\(Unicode.Scalar($0))b") }
        #expect(accepted == [0x09] + Array(0x20...0x7E))
    }

    @Test(arguments: [
        ("plain é 日本 🎉", "plain é 日本 🎉"), ("a\r\nb", "a\\r\\nb"), ("\t\u{0}", "\\t\\0"), ("\u{1B}[2J", "\\u{1B}[2J"),
        ("\u{9B}2J", "\\u{009B}2J"), ("\u{85}", "\\u{0085}"), ("a\u{202E}b", "a\\u{202E}b"), ("\u{2066}", "\\u{2066}"),
        ("\u{2028}", "\\u{2028}"), ("\u{7F}", "\\u{7F}"), ("\u{61C}", "\\u{061C}"), ("", ""),
    ])
    func `escapes what could break out of a line`(text: String, printable: String) {
        #expect(HTTPSyntax.printable(text) == printable)
    }
}
