extension RequestBody: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What kind of body it is, its media type and its length, never what is in it.
    public var description: String {
        let kind =
            switch content {
            case nil: "no body"
            case .bytes: "bytes"
            case .file: "a file"
            case .stream: "a stream"
            case .value(let value, _): "a \(type(of: value))"
            case .multipart: "parts"
            }
        let type = contentType.map { ", \(HTTPSyntax.printable($0))" } ?? ""
        let size = content == nil ? "" : length.map { ", \($0) bytes" } ?? ""
        return kind + type + size
    }

    /// The same as ``description``: a debugger and `dump` show no content either.
    public var debugDescription: String { description }

    public var customMirror: Mirror {
        Mirror(self, children: ["body": description], displayStyle: .struct)
    }
}
