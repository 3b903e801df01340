import Foundation
import Pipeline

/// Finds where a JSON text is other than expected. It tells places, never values: those can be secrets.
struct JSONDifference {
    private let expected: JSONValue
    private let allowsMore: Bool

    /// - Parameter allowsMore: Whether objects may have further members.
    init(_ expected: JSONValue, allowsMore: Bool) {
        self.expected = expected
        self.allowsMore = allowsMore
    }

    /// What keeps a body from being the value, as a clause; `nil` if it is.
    func mismatch(_ body: Data) -> String? {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: body) else { return "the body is not JSON" }
        return place(value).map { place in
            place.isEmpty ? "the body is other JSON" : "the body is other JSON at \(place)"
        }
    }

    /// The first place of a difference, empty for the whole; `nil` if there is none.
    func place(_ value: JSONValue) -> String? { place(expected, value).map { String($0.drop { $0 == "." }) } }

    private func place(_ expected: JSONValue, _ value: JSONValue) -> String? {
        switch (expected, value) {
        case (.object(let expected), .object(let members)):
            let names = allowsMore ? Set(expected.keys) : Set(expected.keys).union(members.keys)
            for name in names.sorted() {
                guard let one = expected[name], let other = members[name] else { return ".\(name)" }
                if let rest = place(one, other) { return ".\(name)\(rest)" }
            }
            return nil
        case (.array(let expected), .array(let elements)):
            for (index, pair) in zip(expected, elements).enumerated() {
                if let rest = place(pair.0, pair.1) { return "[\(index)]\(rest)" }
            }
            return expected.count == elements.count ? nil : "[\(min(expected.count, elements.count))]"
        case (.int(let one), .double(let other)), (.double(let other), .int(let one)):
            return Double(one) == other ? nil : ""
        default:
            return expected == value ? nil : ""
        }
    }
}
