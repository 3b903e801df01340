import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// What a downloaded file is checked against: its length, and digests (RFC 9530).
@Suite(.timeLimit(.minutes(3)))
struct DownloadCheckTests {
    static func digest(_ text: String, _ algorithm: HashAlgorithm = .sha256) throws -> String {
        let name = algorithm == .sha256 ? "sha-256" : "sha-512"
        return "\(name)=:\(try MessageDigest.digest(of: text, algorithm).base64EncodedString()):"
    }

    /// Fields, trailers, and whether the whole file "0123456789" passes.
    struct Case: Sendable, CustomTestStringConvertible {
        var headers: HTTPHeaders = [:]
        var trailers: HTTPHeaders = [:]
        let code: NetworkError.Code?
        var testDescription: String { "\(headers) \(trailers)" }
    }

    static func cases() throws -> [Case] {
        let (right, wrong) = (try digest("0123456789"), try digest("x"))
        let (longRight, longWrong) = (try digest("0123456789", .sha512), try digest("x", .sha512))
        return [
            Case(headers: ["Repr-Digest": right, "Content-Digest": longRight], code: nil),
            Case(headers: ["Repr-Digest": "\(right), \(longRight)"], code: nil),
            Case(headers: ["Repr-Digest": wrong], code: .digestMismatch),
            Case(headers: ["Content-Digest": wrong], code: .digestMismatch),
            Case(headers: ["Repr-Digest": "\(right), \(longWrong)"], code: .digestMismatch),
            Case(headers: ["Repr-Digest": "\(wrong), \(longRight)"], code: .digestMismatch),
            Case(headers: ["Repr-Digest": "sha-256=:AA==:"], code: .digestMismatch),
            Case(trailers: ["Repr-Digest": right], code: nil),
            Case(trailers: ["Content-Digest": wrong], code: .digestMismatch),
            Case(headers: ["Repr-Digest": right], trailers: ["Repr-Digest": wrong], code: .digestMismatch),
            // What cannot be checked, and what cannot be read
            Case(headers: ["Repr-Digest": "md5=:AA==:, unixsum=1"], code: nil),
            Case(headers: ["Repr-Digest": "\(wrong),"], code: nil),
            // The fields speak of the compressed form
            Case(headers: ["Repr-Digest": wrong, "Content-Length": "3", "Content-Encoding": "gzip"], code: nil),
            // Lengths
            Case(headers: ["Content-Length": "10"], code: nil),
            Case(headers: ["Content-Length": "11"], code: .truncated),
            Case(headers: ["Content-Length": "9"], code: .protocolViolation),
            Case(headers: ["Content-Length": "x"], code: nil),
        ]
    }

    let folder: DownloadFolder
    let server = ConversationTransport()
    let url = api.appendingPathComponent("report")

    init() throws {
        folder = try DownloadFolder()
    }

    @Test(arguments: try cases())
    func `passes or leaves the old file`(rule: Case) async throws {
        try folder.write("old", to: "report")
        let transport = ScriptedTransport { request in
            NetworkResponse(
                status: 200,
                headers: rule.headers,
                body: .stream(BodyStream(Script(trailers: rule.trailers))),
                request: request
            )
        }
        let result = await Network(transport: transport).result(
            of: Download(NetworkRequest(url: url), to: folder["report"])
        )

        #expect(result.error?.code == rule.code)
        #expect(folder.text("report") == (rule.code == nil ? "0123456789" : "old"))
        #expect(folder.names == ["report"])
    }

    @Test(
        arguments: [
            ("0123456789", "456789", nil), ("x", "456789", .digestMismatch), ("0123456789", "x", .digestMismatch),
        ] as [(String, String, NetworkError.Code?)]
    )
    func `of a part, one digest is that of the file and the other that of the part`(
        whole: String,
        part: String,
        code: NetworkError.Code?
    ) async throws {
        let network = Network(actions: [HookAction.retryingBreakOffs], transport: server)
        async let sent = network.result(of: Download(NetworkRequest(url: url), to: folder["report"]))
        await server.nextExchange().breakOff(after: "01234")
        let headers: HTTPHeaders = ["Repr-Digest": try Self.digest(whole), "Content-Digest": try Self.digest(part)]
        await server.nextExchange().respondPart("456789", from: 4, headers: headers)

        #expect(await sent.error?.code == code)
        #expect(folder.names == (code == nil ? ["report"] : []))
    }
}

/// "0123456789" in two chunks, then trailers.
private final class Script: BodySource {
    private let chunks = Locked(["01234", "56789"])
    private let trailers: HTTPHeaders

    init(trailers: HTTPHeaders) { self.trailers = trailers }

    func next() async throws -> Data? {
        chunks.withLock { $0.isEmpty ? nil : Data($0.removeFirst().utf8) }
    }

    func cancel() {}

    var epilogue: BodyEpilogue? { BodyEpilogue(trailers: trailers, metrics: nil) }
}
