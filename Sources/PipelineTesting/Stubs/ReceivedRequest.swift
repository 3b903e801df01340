public import Foundation
public import Pipeline

/// A request as a ``StubTransport`` received it.
public struct ReceivedRequest: Sendable {
    /// The request, with what every action had done to it.
    public let request: NetworkRequest

    /// The whole body; `nil` if it was not read, since the rule failed the attempt or handed it on.
    public let body: Data?

    /// What the path pattern of the rule has captured, by name, decoded.
    public let captures: [String: String]

    /// The name of the rule that matched; `nil` if none did.
    public let rule: String?

    /// The body as JSON.
    ///
    /// - Throws: `DecodingError` if it is none, or was not read.
    public func json() throws -> JSONValue { try JSONDecoder().decode(JSONValue.self, from: body ?? Data()) }
}

extension ReceivedRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the URL, without query and credentials.
    public var description: String { request.description }

    public var debugDescription: String { description }

    public var customMirror: Mirror {
        let size = body.map { "\($0.count) bytes" } ?? "not read"
        return Mirror(
            self,
            children: ["request": request, "body": size, "rule": rule ?? "none"],
            displayStyle: .struct
        )
    }
}
