package import Foundation

/// The answer to a request that asks to leave HTTP, read out of bytes that come in pieces.
package struct UpgradeAnswer {
    /// How far it is.
    package enum Progress: Hashable, Sendable {
        case more
        /// The server has switched; what came behind the head is the other protocol's.
        case switched(Data)
        /// The server has refused, and its body is whole.
        case refused
    }

    package private(set) var head: ResponseHeadReader
    /// What a refusal says.
    package private(set) var body = Data()
    private var line: [UInt8] = []
    private var framing: BodyFraming?
    private let limit: Int

    /// - Parameters:
    ///   - limits: What a head may be.
    ///   - limit: How large the body of a refusal can be, in bytes.
    package init(limits: ResponseHeadReader.Limits, upTo limit: Int) {
        head = ResponseHeadReader(limits: limits, allowsSwitch: true)
        self.limit = limit
    }

    /// Takes what came.
    ///
    /// - Throws: ``NetworkError``: `protocol-violation`, `content-coding-failed`, `response-too-large`.
    package mutating func take(_ bytes: Data) throws(NetworkError) -> Progress {
        var rest = bytes
        while framing == nil, !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
            line += rest[..<end]
            rest = rest[end...]
            guard line.last == UInt8(ascii: "\n") || line.count > head.limits.size else { return .more }
            if case .violation(let error) = line.withUnsafeBytes({ head.take($0) }) { throw error }
            line = []
            guard head.isComplete else { continue }
            if head.status == 101 { return .switched(Data(rest)) }
            framing = BodyFraming(of: head)
        }
        body += try framing?.read(rest) ?? Data()
        guard body.count <= limit else {
            throw NetworkError(.responseTooLarge, "the body is larger than \(limit) bytes")
        }
        return framing?.isOver == true ? .refused : .more
    }

    /// Takes the end of the connection for the end of the answer.
    ///
    /// - Throws: ``NetworkError`` `connection-lost` within the head, `truncated` within the body.
    package func end() throws(NetworkError) {
        guard let framing else {
            throw NetworkError(.connectionLost, "the connection ended within the head of the response")
        }
        guard framing.mayEnd else {
            throw NetworkError(.truncated, "the body ended early, after \(body.count) bytes")
        }
    }
}

extension BodyFraming {
    /// What the head of a response says of its body.
    package init(of head: ResponseHeadReader) {
        if head.status == 204 || head.status == 304 {
            self.init(.length(0))
        } else if head.isChunked {
            self.init(.chunked)
        } else {
            self.init(head.announcedLength.map(Kind.length) ?? .connection)
        }
    }
}
