import Foundation
import Pipeline
import PipelineActions
import TestSupport
import Testing

struct CookieJarTests {
    let folder: TemporaryFolder
    let shop = URL(string: "https://www.shop.test/")!
    let now = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws {
        folder = try TemporaryFolder()
    }

    var file: PrivateFile { PrivateFile(folder.file("cookies.json")) }

    func text() throws -> String { String(decoding: try file.read() ?? Data(), as: UTF8.self) }

    // MARK: The application's hands

    @Test func `the application reads, adds and removes cookies`() throws {
        let jar = CookieJar()
        jar.store(["a=1", "b=2; Domain=shop.test", "c=3; Max-Age=60"], from: shop, at: now)
        jar.insert(try Cookie(name: "d", value: "4", domain: "shop.test", isHostOnly: false, created: now), at: now)

        #expect(jar.cookies(at: now).map(\.name) == ["a", "b", "c", "d"])
        #expect(jar.cookies(at: now + 60).map(\.name) == ["a", "b", "d"])
        #expect(jar.cookies(for: URL(string: "https://x.shop.test")!, at: now).map(\.name) == ["b", "d"])

        jar.remove(try #require(jar.cookies(at: now).first))
        #expect(jar.removeAll { $0.name == "b" }.map(\.value) == ["2"])
        #expect(jar.cookies(at: now).map(\.name) == ["c", "d"])
        jar.removeAll()
        #expect(jar.cookies(at: now).isEmpty)
    }

    @Test func `a cookie of the application is for its host alone and secure unless told otherwise`() throws {
        let jar = CookieJar()
        jar.insert(try Cookie(name: "a", value: "1", domain: "shop.test"))
        #expect(jar.cookies(for: URL(string: "https://shop.test/x")!).count == 1)
        #expect(jar.cookies(for: URL(string: "http://shop.test/x")!).isEmpty)
        #expect(jar.cookies(for: shop).isEmpty)
    }

    @Test(arguments: [
        ("", "1", "shop.test", "/"), ("a=b", "1", "shop.test", "/"), ("a", "1;2", "shop.test", "/"),
        ("a", "1\r\n2", "shop.test", "/"), ("a", " 1", "shop.test", "/"), ("a", "1", "", "/"), ("a", "1", "a/b", "/"),
        ("a", "1", "shop.test:80", "/"), ("a", "1", "test", "/"), ("a", "1", "127.0.0.1", "/"),
        ("a", "1", "shop.test", "x"),
    ])
    func `a cookie that cannot be is refused`(name: String, value: String, domain: String, path: String) {
        #expect(throws: MalformedValue.self) {
            try Cookie(name: name, value: value, domain: domain, isHostOnly: false, path: path)
        }
    }

    @Test func `what became of each field is told`() {
        let jar = CookieJar()
        let notes = jar.store(["a=1", "b=2; Domain=test", "a=; Max-Age=0", "none"], from: shop, at: now)
        #expect(
            notes.map(\.description) == [
                "stored a of www.shop.test",
                "refused b of www.shop.test: its domain is an address or a single label",
                "removed a of www.shop.test",
                "refused a cookie of www.shop.test: it has no name or no equals sign",
            ]
        )
    }

    @Test func `values are secrets`() throws {
        let cookie = try Cookie(name: "a", value: "canary", domain: "shop.test")
        let jar = CookieJar()
        jar.insert(cookie)
        let notes = jar.store(["b=canary", "c=canary; Domain=test"], from: shop)
        var dumped = ""
        dump((cookie, jar, CookieAction(jar), notes), to: &dumped)
        let texts = ["\(cookie)", String(reflecting: cookie), "\(jar)", "\(CookieAction(jar))", "\(notes)", dumped]
        #expect(!texts.joined().contains("canary"))
        #expect(dumped.contains("a=<redacted>; for shop.test/; Secure"))
    }

    // MARK: The file

    @Test func `cookies outlast the program, session cookies do not`() throws {
        let jar = try CookieJar(file: file)
        let field = "a=1; Max-Age=600; Domain=shop.test; Path=/x; Secure; HttpOnly; SameSite=Lax"
        jar.store([field, "session=2"], from: shop, at: now)
        #expect(jar.cookies(at: now).map(\.name) == ["a", "session"])

        let next = try CookieJar(file: file)
        #expect(next.cookies(at: now) == Array(jar.cookies(at: now).prefix(1)))
        #expect(next.cookies(at: now + 600).isEmpty)
        #expect(!(try text()).contains("session"))
    }

    @Test func `session cookies are written where that is asked for`() throws {
        try CookieJar(file: file, keepsSessionCookies: true).store(["session=2"], from: shop, at: now)
        #expect(try CookieJar(file: file).cookies(at: now).map(\.name) == ["session"])
    }

    @Test func `what is removed is removed from the file`() throws {
        let jar = try CookieJar(file: file)
        jar.store(["a=canary1; Max-Age=600", "b=canary2; Max-Age=600"], from: shop, at: now)
        jar.store(["a=; Max-Age=0"], from: shop, at: now)
        #expect(!(try text()).contains("canary1"))
        jar.removeAll()
        #expect(!(try text()).contains("canary2"))
        #expect(try CookieJar(file: file).cookies(at: now).isEmpty)
    }

    @Test func `only its owner can read the file`() throws {
        try CookieJar(file: file).store(["a=1; Max-Age=600"], from: shop, at: now)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.url.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test func `session cookies alone make no file`() throws {
        try CookieJar(file: file).store(["a=1"], from: shop, at: now)
        #expect(try file.read() == nil)
    }

    @Test(arguments: ["", "{}", "nonsense", #"{"format": 2, "cookies": []}"#])
    func `a file that holds something else is an error and stays`(content: String) throws {
        try file.write(Data(content.utf8))
        let error = #expect(throws: NetworkError.self) { try CookieJar(file: file) }
        #expect(error?.code == .fileFailed)
        #expect(try text() == content)
    }

    @Test func `a link in the place of the file is not followed`() throws {
        let elsewhere = folder.file("elsewhere")
        try Data().write(to: elsewhere)
        try FileManager.default.createSymbolicLink(at: file.url, withDestinationURL: elsewhere)
        let error = #expect(throws: NetworkError.self) { try CookieJar(file: file) }
        #expect(error?.code == .fileFailed)
    }

    @Test func `a file that cannot be written is told by save, and written when it can`() throws {
        let jar = try CookieJar(file: PrivateFile(folder.file("missing/cookies.json")))
        jar.store(["a=1; Max-Age=600"], from: shop, at: now)
        #expect(jar.cookies(at: now).count == 1)
        let error = #expect(throws: NetworkError.self) { try jar.save() }
        #expect(error?.code == .fileFailed)

        let missing = folder.file("missing")
        try FileManager.default.createDirectory(at: missing, withIntermediateDirectories: true)
        try jar.save()
        let written = PrivateFile(missing.appending(path: "cookies.json"))
        #expect(try CookieJar(file: written).cookies(at: now).count == 1)
    }

    @Test func `many writers lose nothing`() async throws {
        let jar = try CookieJar(file: file)
        await withTaskGroup { group in
            for number in 0..<40 {
                group.addTask { [shop, now] in _ = jar.store(["c\(number)=\(number); Max-Age=600"], from: shop, at: now)
                }
            }
        }
        try jar.save()
        #expect(Set(try CookieJar(file: file).cookies(at: now).map(\.value)) == Set((0..<40).map { "\($0)" }))
    }
}
