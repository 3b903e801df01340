public import Foundation

/// Compresses bytes into the gzip format (RFC 1952), the content coding `gzip` of HTTP (RFC 9110, section 8.4.1.3).
///
///     request.body = .bytes(try GzipEncoder().encode(log), contentType: "text/plain")
///     request.headers[.contentEncoding] = "gzip"
///
/// The work is zlib's: the system's own on Apple platforms; on Linux the `libz.so.1` that libcurl stands on too, found at run
/// time. The same bytes give the same result; it holds no time and no name.
public struct GzipEncoder: Sendable, Hashable {
    /// How hard zlib tries, from 0 (not at all) over 1 (fastest) to 9 (smallest).
    public let level: Int

    /// Creates an encoder.
    ///
    /// - Parameter level: How hard zlib tries, from 0 to 9; 6, which is zlib's own choice, unless told otherwise.
    /// - Precondition: `level` lies from 0 to 9.
    public init(level: Int = 6) {
        precondition((0...9).contains(level), "a level lies from 0 to 9, got \(level)")
        self.level = level
    }

    /// Whether there is a zlib on this system.
    public static var isAvailable: Bool { GzipLibrary.obstacle == nil }

    /// Compresses bytes, on the calling thread.
    ///
    /// - Returns: One gzip member. It is larger than the bytes if they cannot be made smaller, by 18 bytes and five for each
    ///   16 KiB.
    /// - Throws: ``NetworkError`` `content-coding-unavailable` if there is no zlib on this system; the explanation says what
    ///   to install. `encoding-failed` if there is no memory.
    public func encode(_ data: Data) throws(NetworkError) -> Data {
        if let obstacle = GzipLibrary.obstacle {
            throw NetworkError(.contentCodingUnavailable, obstacle, reach: .no)
        }
        guard let compressed = GzipLibrary.compress(data, level: level) else {
            throw NetworkError(.encodingFailed, "the body could not be compressed", reach: .no)
        }
        return compressed
    }
}
