import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct NetworkErrorTests {
    static let codes: [NetworkError.Code] = [
        .invalidRequest, .encodingFailed, .bodyNotReplayable, .cancelled, .timedOutConnecting, .timedOutIdle,
        .timedOutAttempt, .timedOut, .offline, .hostNotFound, .connectionRefused, .connectionLost, .connectionFailed,
        .proxyFailed, .tlsUntrusted, .tlsExpired, .tlsWrongHost, .tlsHandshake, .pinMismatch, .pinningUnsupported,
        .redirectRefused, .pagingRefused, .responseTooLarge, .truncated, .lineTooLong, .digestMismatch,
        .contentCodingFailed, .protocolViolation,
        .unacceptableStatus, .unacceptableContentType, .emptyBody, .decodingFailed, .bodyAlreadyRead, .fileFailed,
        .actionFailed, .rateLimited, .completionDropped, .sendEnded, .transportFailed, .transportUnavailable,
        .optionUnsupported, .contentCodingUnavailable, .hashUnavailable,
        .authenticationRequired, .authenticationRejected, .authenticationFailed, .authenticationChanged,
    ]

    @Test func `every code has a category, a name of its own and a sentence to act on`() {
        #expect(Set(Self.codes.map(\.rawValue)).count == Self.codes.count)
        for code in Self.codes {
            #expect(code.category != .other, "\(code)")
            #expect(NetworkError(code).description.count > code.rawValue.count + 20, "\(code)")
        }
        #expect(NetworkError.Code(rawValue: "app-login").category == .other)
    }

    @Test func `is one reference wide`() {
        #expect(MemoryLayout<NetworkError>.size == MemoryLayout<AnyObject>.size)
    }

    @Test func `knows the custom properties of the request, with what actions had set, and shows none`() async throws {
        let action = HookAction(willBegin: { request in
            var request = request
            request.customProperties["identity"] = "canary-1"
            return .proceed(request)
        })
        for answer in [ScriptedTransport.Answer.status(500), .failure(NetworkError(.offline)), .json("no JSON")] {
            let network = Network(baseURL: api, actions: [action], transport: ScriptedTransport([answer]))
            let error = await #expect(throws: NetworkError.self) { try await network.send(GetValue<User>()) }

            #expect(error?.customProperties["identity"] as? String == "canary-1")
            var text = "\(String(describing: error)) \(String(reflecting: error))"
            if let error { dump(error, to: &text) }
            #expect(!text.contains("canary"))
        }
        #expect(NetworkError(.offline).customProperties.isEmpty)
    }

    static let canary = "canary-secret"

    /// An error with a secret in every place that can hold one.
    func loadedError() async throws -> NetworkError {
        let server = ScriptedTransport { request in
            NetworkResponse(
                status: 403,
                headers: [.setCookie: "s=\(Self.canary)", .wwwAuthenticate: "Basic"],
                body: .bytes(Data(#"{"message":"no","access_token":"\#(Self.canary)"}"#.utf8)),
                request: request
            )
        }
        var request = NetworkRequest(
            method: .post,
            url: URL(string: "https://user:\(Self.canary)@api.test/login?token=\(Self.canary)#\(Self.canary)")!,
            headers: [.authorization: "Bearer \(Self.canary)", .cookie: "s=\(Self.canary)"],
            body: .text(Self.canary)
        )
        request.headers.setSensitive(Self.canary, for: "X-Mine")
        let result = await Network(transport: server).result(of: request)
        guard case .failure(let error) = result else { throw Refused() }
        return error
    }

    @Test func `shows no secret in its text, in a dump, or interpolated`() async throws {
        let error = try await loadedError()
        let urlError = NetworkError(
            URLError(.unknown, userInfo: [NSURLErrorFailingURLErrorKey: URL(string: "https://x/?t=\(Self.canary)")!])
        )
        for error in [error, urlError, NetworkError(.actionFailed, underlying: urlError)] {
            var dumped = ""
            dump(error, to: &dumped)
            dump(error.response, to: &dumped)
            dump(error.response?.request, to: &dumped)
            let shown = [
                error.description, "\(error)", error.debugDescription, error.localizedDescription, dumped,
                String(reflecting: error), "\(String(describing: error.response))",
                "\(String(describing: error.response?.headers))", "\(String(describing: error.response?.request))",
            ].joined()
            #expect(!shown.contains(Self.canary), "\(shown)")
        }
        #expect(error.description.contains("POST https://api.test/login?…:"))
    }

    @Test func `has a message that is the end of its text`() async throws {
        let error = try await loadedError()
        #expect(error.description.hasPrefix(error.code.rawValue + " in "))
        #expect(error.description.hasSuffix(": " + error.message))
        #expect(!error.message.contains(error.code.rawValue))
        #expect(NetworkError(.offline).description == "offline: " + NetworkError(.offline).message)
    }

    @Test func `escapes control characters`() async throws {
        let error = NetworkError(.connectionFailed, "line\nbreak \u{1B}[31m")
        #expect(!error.description.contains("\n"))
        #expect(!error.description.contains("\u{1B}"))
    }

    @Test(arguments: [
        (#"{"type":"about:blank","title":"Out of credit","detail":"Your balance is 30."}"#, "Your balance is 30."),
        (#"{"title":"Out of credit"}"#, "Out of credit"), (#"{"message":"Nope"}"#, "Nope"),
        (#"{"error":"invalid_grant","error_description":"Expired"}"#, "Expired"), (#"{"error":"invalid"}"#, "invalid"),
        (#"{"error":{"code":7,"message":"Deep"}}"#, "Deep"),
        (#"{"errors":[{"message":"First"},{"message":"2"}]}"#, "First"),
        (#"{"errors":["Plain"]}"#, "Plain"), (#"{"status":3}"#, nil), ("<html>", nil), ("", nil),
    ])
    func `finds what the server says`(body: String, message: String?) async throws {
        let network = Network(transport: ScriptedTransport([.status(400, body: body)]))
        let error = await #expect(throws: NetworkError.self) { try await network.send(NetworkRequest(url: api)) }

        #expect(error?.serverMessage == message)
    }

    @Test func `reads the payload as a type of the application's`() async throws {
        struct Problem: Decodable, Equatable { var reason: String }
        let network = Network(
            transport: ScriptedTransport([
                .status(409, headers: [.contentType: "Application/JSON; charset=utf-8"], body: #"{"reason":"taken"}"#),
                .failure(NetworkError(.connectionLost)),
            ])
        )
        let error = await #expect(throws: NetworkError.self) { try await network.send(NetworkRequest(url: api)) }
        #expect(try error?.payload(as: Problem.self) == Problem(reason: "taken"))
        #expect(error?.mimeType == "application/json")
        let lost = await #expect(throws: NetworkError.self) { try await network.send(NetworkRequest(url: api)) }
        #expect(try lost?.payload(as: Problem.self) == nil)
    }

    @Test func `an error that lost its type finds it again`() async throws {
        let network = Network(transport: ScriptedTransport([]))
        let task = Task { try await network.send(NetworkRequest(url: api)) }
        let result = await task.result
        guard case .failure(let error) = result else { Issue.record("it succeeded"); return }

        #expect(error.networkError?.code == .transportUnavailable)
        #expect((Refused() as any Error).networkError == nil)
    }
}
