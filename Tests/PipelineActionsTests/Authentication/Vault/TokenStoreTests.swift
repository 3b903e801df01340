import Foundation
import Pipeline
import PipelineActions
import TestSupport
import Testing

/// What every store promises, and the file that holds tokens (S7).
@Suite(.timeLimit(.minutes(3)))
final class TokenStoreTests {
    let folder: TemporaryFolder
    var file: URL { folder.file("tokens.json") }

    init() throws {
        folder = try TemporaryFolder()
    }

    enum Kind: Sendable, CaseIterable {
        case memory
        case file
    }

    func store(_ kind: Kind) -> any TokenStore {
        switch kind {
        case .memory: MemoryTokenStore()
        case .file: FileTokenStore(file)
        }
    }

    @Test(arguments: Kind.allCases)
    func `keeps tokens by scope`(kind: Kind) async throws {
        let store = store(kind)
        let token = AccessToken("a", type: "DPoP", refreshToken: "r", expiresIn: .seconds(60), scope: "s")
        #expect(try await store.token(for: .global) == nil)
        try await store.setToken(token, for: .global)
        try await store.setToken(AccessToken("b"), for: .label("b"))
        try await store.setToken(AccessToken("c"), for: .label("b"))
        #expect(try await store.token(for: .global) == token)
        #expect(try await store.token(for: .label("b"))?.value == "c")

        try await store.removeToken(for: .label("b"))
        try await store.removeToken(for: .label("never there"))
        #expect(try await store.token(for: .label("b")) == nil)
        #expect(try await store.token(for: .global) == token)

        try await store.removeAllTokens()
        try await store.removeAllTokens()
        #expect(try await store.token(for: .global) == nil)
    }

    @Test func `a file outlives the program, and only its owner can read it`() async throws {
        try await FileTokenStore(file).setToken(AccessToken("a"), for: .global)

        #expect(try await FileTokenStore(file).token(for: .global)?.value == "a")
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `the file goes with its last token`() async throws {
        let store = FileTokenStore(file)
        try await store.setToken(AccessToken("a"), for: .global)
        try await store.removeToken(for: .global)

        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test(arguments: ["", "canary", #"{"version":2,"tokens":{}}"#, #"{"version":1,"tokens":{"global":{}}}"#])
    func `a damaged file fails to read and shows nothing, and a login replaces it`(content: String) async throws {
        try Data(content.utf8).write(to: file)
        let store = FileTokenStore(file)
        let error = await #expect(throws: NetworkError.self) { try await store.token(for: .global) }
        #expect(error?.code == .fileFailed)
        #expect(error?.description.contains("canary") == false)

        try await store.setToken(AccessToken("a"), for: .global)
        #expect(try await store.token(for: .global)?.value == "a")
    }

    @Test func `a link in the file's place is not followed`() async throws {
        let elsewhere = folder.file("elsewhere")
        try Data("untouched".utf8).write(to: elsewhere)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: elsewhere)
        let store = FileTokenStore(file)
        await #expect(throws: NetworkError.self) { try await store.token(for: .global) }
        try await store.setToken(AccessToken("a"), for: .global)

        #expect(try Data(contentsOf: elsewhere) == Data("untouched".utf8))
    }

    @Test func `a folder that does not exist is an error`() async throws {
        let store = FileTokenStore(folder.file("missing/tokens.json"))
        let error = await #expect(throws: NetworkError.self) {
            try await store.setToken(AccessToken("a"), for: .global)
        }
        #expect(error?.code == .fileFailed)
    }

    @Test func `many writers lose nothing`() async throws {
        let store = FileTokenStore(file)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask { try await store.setToken(AccessToken("\(number)"), for: .label("\(number)")) }
            }
            try await group.waitForAll()
        }
        for number in 0..<20 { #expect(try await store.token(for: .label("\(number)"))?.value == "\(number)") }
    }
}
