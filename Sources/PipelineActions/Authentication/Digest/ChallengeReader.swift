import Foundation

/// Reads the challenges of one field (RFC 9110, sections 11.2, 11.3 and 5.6).
///
/// Commas stand between challenges and between the parameters of one. What tells them apart is the equals sign: a token with
/// one behind it is a parameter, any other begins a challenge.
struct ChallengeReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ field: String) {
        bytes = Array(field.utf8)
    }

    private struct Draft {
        var scheme: String
        var token68: String?
        var parameters: [String: String] = [:]
        var isAmbiguous = false

        var challenge: AuthenticationChallenge? {
            isAmbiguous
                ? nil : AuthenticationChallenge(scheme: scheme, token68: token68, parameters: parameters)
        }
    }

    mutating func challenges() -> [AuthenticationChallenge] {
        var challenges: [AuthenticationChallenge] = []
        var draft: Draft?
        while true {
            skip { $0 == UInt8(ascii: ",") || Self.isBlank($0) }
            guard place < bytes.count else { break }
            guard let token = read(Self.isTokenByte) else { return challenges }
            if draft != nil, let value = parameterValue() {
                guard let value else { return challenges }  // What is broken may be this very challenge.
                let old = draft?.parameters.updateValue(value, forKey: token.lowercased())
                if old != nil || draft?.token68 != nil { draft?.isAmbiguous = true }
            } else {
                if let last = draft?.challenge { challenges.append(last) }
                draft = Draft(scheme: token)
                guard skip(Self.isBlank) > 0 || isAtEndOfItem else { return challenges }
                draft?.token68 = token68()
                continue  // A parameter may follow without a comma.
            }
            skip(Self.isBlank)
            guard isAtEndOfItem else { return challenges }
        }
        if let last = draft?.challenge { challenges.append(last) }
        return challenges
    }

    /// The value of a parameter whose name was just read.
    ///
    /// - Returns: `nil` without an equals sign; within it `nil` if what follows is no value.
    private mutating func parameterValue() -> String?? {
        let start = place
        skip(Self.isBlank)
        guard place < bytes.count, bytes[place] == UInt8(ascii: "=") else {
            place = start
            return nil
        }
        place += 1
        skip(Self.isBlank)
        if place < bytes.count, bytes[place] == UInt8(ascii: "\"") { return .some(quotedString()) }
        return .some(read(Self.isTokenByte))
    }

    private mutating func quotedString() -> String? {
        place += 1
        var content: [UInt8] = []
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            switch byte {
            case UInt8(ascii: "\""):
                return String(decoding: content, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard place < bytes.count else { return nil }
                content.append(bytes[place])
                place += 1
            default:
                content.append(byte)
            }
        }
        return nil
    }

    /// The data of a scheme without parameters, if that is what stands here: nothing but it up to the next comma.
    private mutating func token68() -> String? {
        let start = place
        guard let text = read(Self.isToken68Byte) else { return nil }
        let padding = skip { $0 == UInt8(ascii: "=") }
        skip(Self.isBlank)
        guard isAtEndOfItem else {
            place = start
            return nil
        }
        return text + String(repeating: "=", count: padding)
    }

    private var isAtEndOfItem: Bool { place == bytes.count || bytes[place] == UInt8(ascii: ",") }

    private mutating func read(_ isPart: (UInt8) -> Bool) -> String? {
        let start = place
        skip(isPart)
        return start == place ? nil : String(decoding: bytes[start..<place], as: UTF8.self)
    }

    @discardableResult
    private mutating func skip(_ isSkipped: (UInt8) -> Bool) -> Int {
        let start = place
        while place < bytes.count, isSkipped(bytes[place]) { place += 1 }
        return place - start
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || tokenSigns.contains(byte)
    }

    private static func isToken68Byte(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || token68Signs.contains(byte)
    }

    private static let tokenSigns = Set("!#$%&'*+-.^_`|~".utf8)
    private static let token68Signs = Set("-._~+/".utf8)
}
