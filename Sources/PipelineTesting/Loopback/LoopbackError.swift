import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A call to the operating system that failed while a ``LoopbackServer`` was being set up or used.
public struct LoopbackError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was attempted, such as `bind`.
    public let operation: String

    /// The system's error number, `errno`.
    public let code: Int32

    init(_ operation: String, code: Int32 = errno) {
        self.operation = operation
        self.code = code
    }

    /// The operation and the system's words for the error.
    public var description: String {
        "\(operation): \(String(cString: strerror(code)))"
    }
}
