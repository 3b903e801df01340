public import Foundation
public import Pipeline

/// What the body of a request must be for a rule to match.
public struct BodyPattern: Sendable {
    /// What keeps a body from matching, as a clause; `nil` if it matches.
    let mismatch: @Sendable (Data) -> String?

    /// The body is these bytes.
    public static func data(_ expected: Data) -> BodyPattern {
        BodyPattern { body in
            body == expected
                ? nil : "the body, of \(body.count) bytes, is other than the \(expected.count) bytes expected"
        }
    }

    /// The body is this text, as UTF-8.
    public static func text(_ expected: String) -> BodyPattern { .data(Data(expected.utf8)) }

    /// The body is JSON that says the same. Spelling and order of members do not count.
    public static func json(_ expected: JSONValue) -> BodyPattern {
        BodyPattern { JSONDifference(expected, allowsMore: false).mismatch($0) }
    }

    /// The body is JSON whose objects have these members, and maybe more; lists are compared element by element.
    public static func json(containing expected: JSONValue) -> BodyPattern {
        BodyPattern { JSONDifference(expected, allowsMore: true).mismatch($0) }
    }

    /// The body is a form with these fields, and maybe more.
    public static func form(_ expected: [String: String]) -> BodyPattern {
        BodyPattern { body in
            let fields = QueryItems(String(decoding: body, as: UTF8.self))
            for (name, value) in expected.sorted(by: { $0.key < $1.key }) {
                if let mismatch = fields.mismatch(of: "field", name: name, expected: value) { return mismatch }
            }
            return nil
        }
    }

    /// The body is what a closure says.
    ///
    /// - Parameters:
    ///   - condition: What is wrong with a body that does not match, as a clause for the message: "the body is not an image".
    ///   - isMatch: Whether a body matches.
    public static func matching(_ condition: String, _ isMatch: @escaping @Sendable (Data) -> Bool) -> BodyPattern {
        BodyPattern { isMatch($0) ? nil : condition }
    }
}
