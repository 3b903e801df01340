import Foundation

/// The parts of a multipart body by what their heads say (RFC 7578), never by their content.
struct MultipartOutline {
    /// A part on a line each.
    let lines: [String]

    /// Reads the heads that are there.
    ///
    /// - Parameters:
    ///   - bytes: The body or its beginning.
    ///   - boundary: What stands between the parts.
    init(_ bytes: Data, boundary: String) {
        let delimiter = Data("--\(boundary)".utf8)
        let headEnd = Data("\r\n\r\n".utf8)
        var lines: [String] = []
        var place = bytes.startIndex
        while let found = bytes.range(of: delimiter, in: place..<bytes.endIndex) {
            place = found.upperBound
            guard let end = bytes.range(of: headEnd, in: place..<bytes.endIndex) else { break }
            lines.append(Self.line(String(decoding: bytes[place..<end.lowerBound], as: UTF8.self)))
            place = end.upperBound
        }
        self.lines = lines
    }

    private static func line(_ head: String) -> String {
        var words: [String] = []
        var type = ""
        for field in head.components(separatedBy: "\r\n") {
            let parts = field.unicodeScalars.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { continue }
            let value = parts[1].trimmingCharacters(in: .whitespaces)
            switch parts[0].lowercased() {
            case "content-disposition":
                words = ["name", "filename"].compactMap { parameter($0, of: value) }
            case "content-type":
                type = value
            default: break
            }
        }
        let named = words.isEmpty ? "part" : "part " + words.joined(separator: ", ")
        return type.isEmpty ? named : named + ", " + type
    }

    private static func parameter(_ name: String, of value: String) -> String? {
        guard let start = value.range(of: "\(name)=\"", options: .caseInsensitive) else { return nil }
        // `filename="` has `name="` in it.
        if let before = value[..<start.lowerBound].last, before != " ", before != ";" {
            let rest = String(value[start.upperBound...])
            return name == "name" ? parameter(name, of: rest) : nil
        }
        return "\"" + String(value.unicodeScalars[start.upperBound...].prefix { $0 != "\"" }) + "\""
    }
}
