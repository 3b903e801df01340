import Foundation
import Pipeline
import Testing

/// RFC 6266, RFC 8187.
struct ContentDispositionTests {
    @Test(
        arguments: [
            // Nothing but a type
            ("attachment", "attachment", nil), ("INLINE", "inline", nil), ("attachment; foo=bar", "attachment", nil),
            // The name as a token, in quotes, with escapes
            ("attachment; filename=a.txt", "attachment", "a.txt"),
            ("attachment;filename=\"a.txt\"", "attachment", "a.txt"),
            ("inline; FileName = \"a b;c,d.txt\" ; size=3", "inline", "a b;c,d.txt"),
            (#"attachment; filename="a \"b\" \\c.txt""#, "attachment", #"a "b" \c.txt"#),
            ("attachment; filename=a b.txt", "attachment", "a b.txt"),
            ("attachment; filename=\"\"", "attachment", ""),
            // The extended form
            ("attachment; filename*=UTF-8''%e2%82%ac%20rates.txt", "attachment", "€ rates.txt"),
            ("attachment; filename*=utf-8'en'na%C3%AFve.txt", "attachment", "naïve.txt"),
            ("attachment; filename*=ISO-8859-1''na%EFve%20%A3.txt", "attachment", "naïve £.txt"),
            ("attachment; filename*=UTF-8''\u{301}a.txt", "attachment", "\u{301}a.txt"),
            // It goes before the other, wherever it stands
            ("attachment; filename=\"EURO.txt\"; filename*=UTF-8''%e2%82%ac.txt", "attachment", "€.txt"),
            ("attachment; filename*=UTF-8''%e2%82%ac.txt; filename=EURO.txt", "attachment", "€.txt"),
            // One that cannot be read does not
            ("attachment; filename=b.txt; filename*=UTF-8''%ff.txt", "attachment", "b.txt"),
            ("attachment; filename=b.txt; filename*=UTF-8''%4.txt", "attachment", "b.txt"),
            ("attachment; filename=b.txt; filename*=UTF-8''%+1.txt", "attachment", "b.txt"),
            ("attachment; filename=b.txt; filename*=UTF-8''a%2", "attachment", "b.txt"),
            ("attachment; filename=b.txt; filename*=UTF-7''a", "attachment", "b.txt"),
            ("attachment; filename=b.txt; filename*=a.txt", "attachment", "b.txt"),
            // Escapes are those of the extended form alone
            ("attachment; filename=\"a%20b.txt\"", "attachment", "a%20b.txt"),
        ] as [(String, String, String?)]
    )
    func `reads the type and the name`(field: String, type: String, name: String?) {
        let value = ContentDisposition(field)
        #expect(value?.type == type)
        #expect(value?.givenName == name)
    }

    @Test(arguments: [
        "", ";", "; filename=a", "filename=a", "a b; filename=a", "attachment; filename=\"a",
        "attachment; filename=\"a\"b", "attachment; filename=a; filename=b", "attachment; filename*=x; FILENAME*=y",
    ])
    func `is nothing if it is malformed`(field: String) {
        #expect(ContentDisposition(field) == nil)
    }

    @Test(
        arguments: [
            ("../../etc/passwd", "passwd"), (#"C:\\Users\\x\\a.txt"#, "a.txt"), ("/", nil), ("..", nil),
            (".profile", "profile"),
            ("a" + String(repeating: "\u{301}", count: 128), "a" + String(repeating: "\u{301}", count: 127)),
        ] as [(String, String?)]
    )
    func `gives a name that is fit for a file`(given: String, name: String?) {
        #expect(ContentDisposition("attachment; filename=\"\(given)\"")?.fileName == name)
    }
}
