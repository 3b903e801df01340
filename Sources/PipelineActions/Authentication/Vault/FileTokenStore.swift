public import Foundation
import Pipeline

/// Keeps tokens in a file that only its owner can read (``/Pipeline/PrivateFile``).
///
/// The tokens are in it as they are: whoever can read the files of this user, or a backup of them, has them. On Apple's
/// platforms `KeychainTokenStore` protects them better.
///
/// Calls wait for the disk. The folder must exist. A file that is damaged fails to read, and is replaced by the next login.
/// Programs may read one file at once; of two that write at the same moment one can overwrite what the other has just kept.
public final class FileTokenStore: TokenStore {
    private let file: Guarded<PrivateFile>

    /// Creates a store.
    ///
    /// - Parameter url: Where the file is, or will be.
    public init(_ url: URL) {
        file = Guarded(PrivateFile(url))
    }

    private struct Content: Codable {
        var version = 1
        var tokens: [String: AccessToken] = [:]
    }

    /// The token of a scope.
    ///
    /// - Throws: ``/Pipeline/NetworkError`` `file-failed` if the file cannot be read, is a link, or holds something else.
    public func token(for scope: TokenScope) async throws -> AccessToken? {
        try file.withLock { try Self.content(of: $0).tokens[scope.key] }
    }

    /// Keeps a token.
    ///
    /// - Throws: ``/Pipeline/NetworkError`` `file-failed` if the file cannot be written.
    public func setToken(_ token: AccessToken, for scope: TokenScope) async throws {
        try file.withLock { file in
            // What cannot be read is lost already; a new login must not fail for it.
            var content = (try? Self.content(of: file)) ?? Content()
            content.tokens[scope.key] = token
            try Self.write(content, to: file)
        }
    }

    /// Removes a token.
    ///
    /// - Throws: ``/Pipeline/NetworkError`` `file-failed` if the file cannot be read or written.
    public func removeToken(for scope: TokenScope) async throws {
        try file.withLock { file in
            var content = try Self.content(of: file)
            guard content.tokens.removeValue(forKey: scope.key) != nil else { return }
            if content.tokens.isEmpty { try file.remove() } else { try Self.write(content, to: file) }
        }
    }

    /// Removes the file.
    ///
    /// - Throws: ``/Pipeline/NetworkError`` `file-failed` if it cannot be removed.
    public func removeAllTokens() async throws {
        try file.withLock { try $0.remove() }
    }

    private static func content(of file: PrivateFile) throws(NetworkError) -> Content {
        guard let data = try file.read() else { return Content() }
        // The decoder's error is left out: it may quote what it read.
        guard let content = try? JSONDecoder().decode(Content.self, from: data), content.version == 1 else {
            throw NetworkError(.fileFailed, "\(file.url.lastPathComponent) is no file of tokens")
        }
        return content
    }

    private static func write(_ content: Content, to file: PrivateFile) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try file.write(try encoder.encode(content))
    }
}
