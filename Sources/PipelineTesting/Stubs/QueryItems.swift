import Foundation
import PipelineActions

/// The items of a query or a form, decoded.
struct QueryItems {
    private var values: [String: [String]] = [:]

    init(_ encoded: String) {
        for item in encoded.split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            values[Self.decoded(parts[0]), default: []].append(parts.count > 1 ? Self.decoded(parts[1]) : "")
        }
    }

    /// What keeps an item from being as expected, as a clause; `nil` if it is. Values of secret names are not told.
    ///
    /// - Parameters:
    ///   - kind: What to call the item.
    ///   - name: Its name.
    ///   - expected: One of its values; `nil` if it must not be there.
    func mismatch(of kind: String, name: String, expected: String?) -> String? {
        switch (values[name], expected) {
        case (nil, nil): return nil
        case (nil, _): return "there is no \(kind) \"\(name)\""
        case (_, nil): return "there is a \(kind) \"\(name)\""
        case (let seen?, let expected?):
            if seen.contains(expected) { return nil }
            if SecretNames.standard.contains(name) { return "the \(kind) \"\(name)\" is another" }
            let policy = RedactionPolicy.standard
            let shown = seen.map { "\"\(policy.redacted($0))\"" }.joined(separator: " and ")
            return "the \(kind) \"\(name)\" is \(shown), not \"\(policy.redacted(expected))\""
        }
    }

    private static func decoded(_ text: Substring) -> String {
        let spaced = text.replacingOccurrences(of: "+", with: " ")
        return spaced.removingPercentEncoding ?? spaced
    }
}
