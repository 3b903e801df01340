/// An event that a server has sent down a stream (HTML Standard, section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// What kind of event it is: the server's word, `message` if it gave none.
    public var type: String

    /// What the event says; several lines are joined with line feeds. It can be empty.
    public var data: String

    /// Where in the stream the event stands: the last identifier that the server had given by then, empty if none.
    public var lastEventID: String

    /// Creates an event.
    public init(type: String = "message", data: String, lastEventID: String = "") {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
    }
}
