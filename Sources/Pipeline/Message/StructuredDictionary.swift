import Foundation

/// A dictionary of the structured fields (RFC 9651, section 3.2), as far as it is needed: byte sequences are read, members of
/// other kinds are only found well-formed.
struct StructuredDictionary: Sendable, Hashable {
    enum Member: Sendable, Hashable {
        case bytes(Data)
        case other
    }

    /// The members by their names; of those with the same name the last.
    let members: [String: Member]

    /// Reads the value of a field.
    ///
    /// - Returns: `nil` if it is no dictionary.
    init?(_ field: String) {
        var scanner = Scanner(field)
        guard let members = scanner.dictionary() else { return nil }
        self.members = members
    }

    /// Follows RFC 9651, section 4.2, step by step.
    private struct Scanner {
        private var rest: ArraySlice<UInt8>

        init(_ field: String) { rest = Array(field.utf8)[...] }

        mutating func dictionary() -> [String: Member]? {
            var members: [String: Member] = [:]
            skip(" ")
            while !rest.isEmpty {
                guard let name = key() else { return nil }
                guard let member = take("=") ? (isNext("(") ? innerList() : item()) : .other, parameters() else {
                    return nil
                }
                members[name] = member
                skip(" \t")
                if rest.isEmpty { return members }
                guard take(",") else { return nil }
                skip(" \t")
                if rest.isEmpty { return nil }  // A comma with nothing behind it.
            }
            return members
        }

        private mutating func innerList() -> Member? {
            guard take("(") else { return nil }
            while true {
                skip(" ")
                if take(")") { return .other }
                guard item() != nil, parameters(), isNext(" ") || isNext(")") else { return nil }
            }
        }

        /// Skips the parameters of a member.
        private mutating func parameters() -> Bool {
            while take(";") {
                skip(" ")
                guard key() != nil else { return false }
                if take("="), item() == nil { return false }
            }
            return true
        }

        private mutating func key() -> String? {
            guard let first = rest.first, Self.isLowercase(first) || first == UInt8(ascii: "*") else { return nil }
            return takeAll { Self.isLowercase($0) || HTTPSyntax.isDigit($0) || "_-.*".utf8.contains($0) }
        }

        private mutating func item() -> Member? {
            switch rest.first {
            case UInt8(ascii: ":"): return bytes()
            case UInt8(ascii: "\""): return string()
            case UInt8(ascii: "%"):
                rest.removeFirst()
                return string()
            case UInt8(ascii: "?"):
                rest.removeFirst()
                return take("0") || take("1") ? .other : nil
            case UInt8(ascii: "@"):
                rest.removeFirst()
                return number()
            case let first? where first == UInt8(ascii: "-") || HTTPSyntax.isDigit(first): return number()
            case let first? where Self.isLetter(first) || first == UInt8(ascii: "*"):
                _ = takeAll { HTTPSyntax.isTokenByte($0) || ":/".utf8.contains($0) }
                return .other
            default: return nil
            }
        }

        private mutating func bytes() -> Member? {
            guard take(":") else { return nil }
            var text = takeAll { $0 != UInt8(ascii: ":") }
            guard take(":") else { return nil }
            // Padding that was left out is let pass (section 4.2.7).
            text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
            return Data(base64Encoded: text).map { .bytes($0) }
        }

        private mutating func string() -> Member? {
            guard take("\"") else { return nil }
            while let byte = rest.popFirst() {
                switch byte {
                case UInt8(ascii: "\""): return .other
                case UInt8(ascii: "\\"):
                    guard take("\"") || take("\\") else { return nil }
                case 0x20...0x7E: continue
                default: return nil
                }
            }
            return nil
        }

        private mutating func number() -> Member? {
            _ = take("-")
            guard !takeAll(HTTPSyntax.isDigit).isEmpty else { return nil }
            return !take(".") || !takeAll(HTTPSyntax.isDigit).isEmpty ? .other : nil
        }

        private func isNext(_ sign: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: sign) }

        private mutating func take(_ sign: Unicode.Scalar) -> Bool {
            guard isNext(sign) else { return false }
            rest.removeFirst()
            return true
        }

        private mutating func skip(_ signs: String) {
            rest = rest.drop { signs.utf8.contains($0) }
        }

        private mutating func takeAll(_ isTaken: (UInt8) -> Bool) -> String {
            let taken = rest.prefix(while: isTaken)
            rest = rest[taken.endIndex...]
            return String(decoding: taken, as: UTF8.self)
        }

        private static func isLowercase(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        }

        private static func isLetter(_ byte: UInt8) -> Bool { isLowercase(byte | 0x20) }
    }
}
