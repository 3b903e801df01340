import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

struct CassetteTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let exchange = Cassette.Exchange(
        request: .init(method: "POST", url: "https://api.test/a", headers: ["Accept: */*"], body: .text("hé")),
        response: .init(status: 201, headers: ["X-A: 1", "X-A: 2"], body: .json(["b": [1, 2.5, nil], "a": "/"]))
    )

    @Test func `the file is JSON for people`() throws {
        let file = folder.file("a.json")
        try Cassette([exchange]).write(to: file)
        let text = """
            {
              "exchanges" : [
                {
                  "request" : {
                    "body" : {
                      "text" : "hé"
                    },
                    "headers" : [
                      "Accept: */*"
                    ],
                    "method" : "POST",
                    "url" : "https://api.test/a"
                  },
                  "response" : {
                    "body" : {
                      "json" : {
                        "a" : "/",
                        "b" : [
                          1,
                          2.5,
                          null
                        ]
                      }
                    },
                    "headers" : [
                      "X-A: 1",
                      "X-A: 2"
                    ],
                    "status" : 201
                  }
                }
              ],
              "version" : 1
            }

            """
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test(arguments: [
        CassetteBody.empty, .json(nil), .json(["a": 1]), .text(""), .text("a"), .bytes(Data([0, 255])),
        .omitted(size: 5), .omitted(size: nil),
    ])
    func `what is written is read again`(body: CassetteBody) throws {
        var written = exchange
        written.request.body = body
        written.failure = "connection-lost"
        let cassette = Cassette([
            written, Cassette.Exchange(request: .init(method: "GET", url: "x"), failure: "offline"),
        ])
        let file = folder.file("a.json")
        try cassette.write(to: file)
        #expect(try Cassette(contentsOf: file) == cassette)
    }

    @Test func `only its owner can read the file, and a link is not followed`() throws {
        let (file, other) = (folder.file("a.json"), folder.file("other"))
        try Data("other".utf8).write(to: other)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: other)
        let error = #expect(throws: NetworkError.self) { try Cassette(contentsOf: file) }
        #expect(error?.code == .fileFailed)

        try Cassette([exchange]).write(to: file)
        #expect(try Data(contentsOf: other) == Data("other".utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test(arguments: [
        (nil, "there is no cassette a.json; record it first"),
        ("[]", "a.json is no cassette"),
        (#"{"version": 2, "exchanges": []}"#, "a.json is a cassette of version 2, and only 1 is known; record it anew"),
    ])
    func `a file that is no cassette is refused`(content: String?, text: String) throws {
        let file = folder.file("a.json")
        if let content { try Data(content.utf8).write(to: file) }
        let error = #expect(throws: NetworkError.self) { try Cassette(contentsOf: file) }
        #expect(error?.code == .fileFailed)
        #expect(error?.explanation == text)
    }
}
