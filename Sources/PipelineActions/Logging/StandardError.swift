import Foundation

/// The stream for what is not the program's output.
public enum StandardError {
    /// Writes a line in one piece, so that lines of several threads do not mix.
    @Sendable
    public static func write(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}
