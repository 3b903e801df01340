/// What a response means to a download that has a part of the file already, or none: a pure decision (RFC 9110, section 15.3.7).
package enum ResumeDecision: Sendable, Hashable {
    /// The body is the whole file; what was there is of no use.
    case begin
    /// The body is the rest, or a part of it: its bytes stand at these places, in a file of this length.
    case goOn(ClosedRange<Int>, of: Int)
    /// The rest cannot be had like that; the whole has to be asked for. Why.
    case startAgain(String)
    /// The server broke the rules. How.
    case refuse(String)

    /// What was asked for.
    package struct Question: Sendable, Hashable {
        /// The place of the first byte: that of the last one that is there.
        ///
        /// So a part that is whole already is asked for its last byte and gets an answer that can be compared. Asked for what
        /// is behind it, a server answers 416, which says nothing about the bytes that are there.
        package let start: Int
        /// The state of the file that the part belongs to.
        package let validator: RangeValidator
        /// The length of the whole file, if it is known.
        package let total: Int?

        package init(start: Int, validator: RangeValidator, total: Int?) {
            self.start = start
            self.validator = validator
            self.total = total
        }
    }

    /// Decides.
    ///
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - headers: Its head.
    ///   - question: What was asked for; `nil` if that was the whole.
    package init(on status: HTTPStatus, _ headers: HTTPHeaders, asked question: Question?) {
        guard let question else {
            self =
                status == .partialContent ? .refuse("the server sent a part, 206, and was not asked for one") : .begin
            return
        }
        switch status {
        case .partialContent:
            self = Self.decision(on: headers, asked: question)
        case .rangeNotSatisfiable, .preconditionFailed:
            self = .startAgain("the server answered \(status.code) when asked for the rest")
        default:
            self = .begin
        }
    }

    private static func decision(on headers: HTTPHeaders, asked question: Question) -> ResumeDecision {
        let fields = headers.values(of: .contentRange)
        guard fields.count == 1, let range = ContentRange(fields[0]), let bytes = range.bytes else {
            return .startAgain("the part does not say in one Content-Range where it belongs")
        }
        guard bytes.lowerBound == question.start else {
            return .startAgain("the part begins at \(bytes.lowerBound), not at \(question.start)")
        }
        if let total = range.total, let known = question.total, total != known {
            return .startAgain("the file has \(total) bytes now, not \(known)")
        }
        // A server may send less than was asked for. Without a total nobody could tell when all of it is there.
        guard let total = range.total ?? question.total else {
            return .startAgain("nobody says how long the file is")
        }
        guard bytes.upperBound < total else { return .startAgain("the part ends behind the file") }
        guard !headers.contains(.contentLength) || headers.announcedLength == bytes.count else {
            return .startAgain("the part has another length in Content-Length than in Content-Range")
        }
        guard question.validator.agrees(with: headers) else {
            return .startAgain("the part is of another state of the file")
        }
        guard !headers.isContentCoded else { return .startAgain("the part is compressed") }
        return .goOn(bytes, of: total)
    }
}

extension HTTPHeaders {
    /// Whether the content has a coding, so that its length and digests are not those of what is read (RFC 9110, section 8.4).
    var isContentCoded: Bool {
        values(of: .contentEncoding).contains { $0.lowercased() != "identity" }
    }

    /// The length in `Content-Length`, if there is one (RFC 9110, section 8.6).
    var announcedLength: Int? {
        guard let field = values(of: .contentLength).first, !field.isEmpty, field.utf8.allSatisfy(HTTPSyntax.isDigit)
        else { return nil }
        return Int(field)
    }
}
