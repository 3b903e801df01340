import Foundation
import Pipeline
import Testing

/// RFC 8288, appendix B.
struct WebLinkTests {
    static let base = URL(string: "https://api.test/v1/users?page=2")!

    func links(_ fields: String...) -> [WebLink] { WebLink.links(in: fields, relativeTo: Self.base) }

    @Test(arguments: [
        // Targets
        ("<https://other.test/a?b=c#d>; rel=next", ["next https://other.test/a?b=c#d"]),
        ("</users>; rel=next", ["next https://api.test/users"]),
        ("<users>; rel=next", ["next https://api.test/v1/users"]),
        ("<?page=3>; rel=next", ["next https://api.test/v1/users?page=3"]),
        ("<../x>; rel=up", ["up https://api.test/x"]), ("<//cdn.test/x>; rel=next", ["next https://cdn.test/x"]),
        ("<>; rel=self", ["self https://api.test/v1/users?page=2"]),
        ("</a,b;c>; rel=next", ["next https://api.test/a,b;c"]),
        // Relations
        ("</a>; rel=\"next\"", ["next https://api.test/a"]), ("</a>; REL=Next", ["next https://api.test/a"]),
        ("</a>; rel=\"next  https://Rel.test/X\tlast\"", ["next https://rel.test/x last https://api.test/a"]),
        ("</a>; rel=next; rel=prev", ["next https://api.test/a"]),
        // A blank with an accent behind it is still a blank.
        ("</a>; rel=\"next \u{301}x\"", ["next \u{301}x https://api.test/a"]),
        ("</a>;rel = next ;title=x", ["next https://api.test/a"]),
        ("</a>; rel=\"ne\\xt\"", ["next https://api.test/a"]),
        // Several
        ("</a>; rel=prev, </b>; rel=next", ["prev https://api.test/a", "next https://api.test/b"]),
        ("</a>;rel=prev,</b>;rel=next", ["prev https://api.test/a", "next https://api.test/b"]),
        (" , ,</a>; rel=next,, ", ["next https://api.test/a"]),
        (
            "</a>; title=\"x, </z>; rel=next\"; rel=prev, </b>; rel=next",
            ["prev https://api.test/a", "next https://api.test/b"]
        ),
        ("</a>; title=\"\\\", </z>\"; rel=prev", ["prev https://api.test/a"]),
        // What is no link is left out, and what stands beside it stays
        ("", []), (",", []), ("</a>", []), ("</a>; rel=\"\"", []), ("</a>; rel", []), ("</a>; title=x", []),
        ("<:x>; rel=next", []), ("</a>; rel=next; anchor=\":x\"", []),
        ("/a; rel=next", []), ("<a; rel=next", []), ("</a>; rel=\"next", []), ("</a>; rel=\"next\" junk", []),
        ("</a> junk; rel=next, </b>; rel=next", ["next https://api.test/b"]),
        ("junk <x, y>, </b>; rel=next", ["next https://api.test/b"]),
        ("</a>; rel=\"prev\"x, </b>; rel=next", ["next https://api.test/b"]),
        ("</a>; ; =x; rel=next;", ["next https://api.test/a"]),
    ])
    func `reads the links of a field`(field: String, expected: [String]) {
        let links = links(field)
        #expect(links.map { ($0.relations + [$0.target.absoluteString]).joined(separator: " ") } == expected)
        #expect(links.allSatisfy { !$0.relations.joined().utf8.contains(UInt8(ascii: " ")) })
    }

    @Test func `reads the fields of all lines, and the other parameters`() throws {
        let links = links(
            "</a>; rel=next; Type=\"text/html\"; hreflang=de; hreflang=en; title=\"plain\"; title*=UTF-8'en'caf%C3%A9; flag",
            "</b>; rel=prev; title=plain; title*=latin'x'%E9"
        )
        let (first, second) = (try #require(links.first), try #require(links.last))

        #expect(links.count == 2)
        #expect(first.attributes["type"] == "text/html")
        #expect(first.attributes["hreflang"] == "de")
        #expect(first.attributes["flag"] == "")
        #expect(first.title == "café")
        #expect(second.title == "plain")
        #expect(self.links("</a>; rel=next; title*=UTF-8''\u{301}x").first?.title == "\u{301}x")
    }

    @Test func `a link that starts from elsewhere does not count as one of the resource`() {
        func response(_ field: String) -> NetworkResponse {
            NetworkResponse(status: 200, headers: [.link: field], request: NetworkRequest(url: Self.base))
        }
        #expect(response("</a>; rel=next; anchor=\"/other\"").link("next") == nil)
        #expect(
            response("</a>; rel=next; anchor=\"/other\"").links.first?.anchor?.absoluteString
                == "https://api.test/other"
        )
        #expect(response("</a>; rel=next; anchor=\"?page=2\"").link("next")?.target.path == "/a")
        #expect(response("</a>; rel=prev, </b>; rel=\"last Next\"").link("NEXT")?.target.path == "/b")
        #expect(NetworkResponse(status: 200, request: NetworkRequest(url: Self.base)).link("next") == nil)
    }

    @Test func `a field with many links takes time in proportion to its length`() {
        let field = String(repeating: "</a>; rel=next; title=\"x\", ", count: 20_000)
        #expect(links(field).count == 20_000)
    }

    @Test func `its text and its dump show no query`() {
        let link = links("<https://ada:canary@api.test/a?token=canary>; rel=next; title=canary")[0]
        var text = ""
        dump(link, to: &text)

        #expect("\(link)".hasPrefix("next: https://"))
        #expect(!"\(link)\(String(reflecting: link))\(text)".contains("canary"))
    }
}
