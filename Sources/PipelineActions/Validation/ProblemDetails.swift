/// A problem document: the standard's way for a server to say what went wrong (RFC 9457, section 3.1).
///
///     let network = Network(baseURL: api, actions: [.errorPayload(ProblemDetails.self)])
///
/// A member of the wrong type is passed over, as section 3.1 asks; one that has none of the members is no problem document.
public struct ProblemDetails: Decodable, Sendable, Hashable {
    /// What kind of problem it is: a URI; `about:blank` if it is nothing but the status.
    public var type: String
    /// What kind of problem it is, in short and for people.
    public var title: String?
    /// The status that the server sent with it.
    public var status: Int?
    /// What happened this time, for people.
    public var detail: String?
    /// Which occurrence it was: a URI reference.
    public var instance: String?

    private enum Member: String, CodingKey {
        case type, title, status, detail, instance
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        func text(_ member: Member) -> String? { try? members.decode(String.self, forKey: member) }
        let type = text(.type)
        title = text(.title)
        status = try? members.decode(Int.self, forKey: .status)
        detail = text(.detail)
        instance = text(.instance)
        self.type = type ?? "about:blank"
        guard type != nil || title != nil || status != nil || detail != nil || instance != nil else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "no member of a problem document"
                )
            )
        }
    }
}
