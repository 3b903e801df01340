public import Foundation

/// That a request was not answered as a check expects.
public struct CheckFailure: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// The request: method and URL, without query and credentials; its type if it could not be built.
    public let request: String

    /// What was expected.
    public let expected: String

    /// What was seen instead. It holds the beginning of a body or of a value, without what looks like a secret.
    public let seen: String

    /// What went wrong with the send, if anything did.
    public let underlying: (any Error)?

    /// One line with all of it.
    public var description: String { "\(request): expected \(expected), saw \(seen)" }

    public var errorDescription: String? { description }
}
