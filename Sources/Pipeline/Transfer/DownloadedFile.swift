public import Foundation

/// A file that was downloaded whole.
public struct DownloadedFile: Sendable {
    /// Where it is. Only its owner can read it.
    public let url: URL

    /// Its length, in bytes.
    public let size: Int

    /// Where the last response went on, in bytes from the beginning; 0 if it carried the whole file.
    public let resumedAt: Int

    /// The last response: status, header fields, metrics. Its body is the file.
    public let response: NetworkResponse

    /// Creates a value, for tests of what is done with it.
    public init(url: URL, size: Int, resumedAt: Int = 0, response: NetworkResponse) {
        self.url = url
        self.size = size
        self.resumedAt = resumedAt
        self.response = response
    }
}
