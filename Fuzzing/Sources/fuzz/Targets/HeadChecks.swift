import Foundation

@testable import Pipeline

/// Heads of responses, as libcurl hands them over.
enum HeadChecks {
    /// Status lines, fields and the ends of heads, in any order.
    static func head(_ data: Data) throws {
        let limits = ResponseHeadReader.Limits(size: 2000, fields: 20, interimResponses: 3)
        var reader = ResponseHeadReader(limits: limits)
        var interim = 0
        for line in wireLines(data) {
            let step = line.withUnsafeBytes { reader.take($0) }
            switch step {
            case .more: break
            case .interim(let status, let lines):
                interim += 1
                try require((100..<200).contains(status) && status != 101, "an interim response has such a status")
                try check(lines, limits)
                try require(!reader.isComplete, "an interim response is not the last")
            case .complete:
                try require(reader.isComplete, "a head that is complete is")
                try require((0...999).contains(reader.status), "a status has three digits")
                try require(!(100..<200).contains(reader.status), "an interim response does not end a head")
                try require(reader.announcedLength.map { $0 >= 0 } ?? true, "no length is negative")
                try require(reader.codings <= 1, "codings are not piled up")
            case .violation(let error):
                try require(
                    [.protocolViolation, .contentCodingFailed].contains(error.code),
                    "a violation has its code"
                )
                return
            }
            try require(interim <= limits.interimResponses, "interim responses have a limit")
            try check(reader.lines, limits)
            try check(reader.trailers, limits)
        }
    }

    private static func check(_ lines: [UInt8], _ limits: ResponseHeadReader.Limits) throws {
        try require(lines.count <= limits.size, "a head is within its size")
        let headers = HTTPHeaders(lines: lines)
        try require(headers.count <= limits.fields, "fields are within their limit")
    }

    /// Each line with its end.
    private static func wireLines(_ data: Data) -> [Data] {
        var lines: [Data] = []
        var rest = data
        while let end = rest.firstIndex(of: 10) {
            lines.append(rest[...end])
            rest = rest[(end + 1)...]
        }
        return rest.isEmpty ? lines : lines + [rest]
    }

    static func fields(_ data: Data) throws {
        let headers = HTTPHeaders(lines: Array(data))
        for field in headers {
            for text in [field.name.spelling, field.value] {
                try require(!text.utf8.contains(10), "a field has no line feed in it")
            }
            let value = field.value.utf8
            let blanks: [UInt8?] = [0x20, 0x09]
            try require(
                !blanks.contains(value.first) && !blanks.contains(value.last),
                "a value has no space at either end (RFC 9112, section 5.1)"
            )
            let shown = field.description
            try require(!shown.unicodeScalars.contains { $0.value < 0x20 }, "what is shown has no control characters")
        }
        let written = headers.map { "\($0.name.spelling):\($0.value)\r\n" }.joined()
        try requireEqual(HTTPHeaders(lines: Array(written.utf8)), headers, "fields that are written are read the same")
    }
}
