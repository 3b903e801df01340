/// The header fields of a message, in their order, as often as they come (RFC 9110, section 5).
///
///     var headers: HTTPHeaders = ["Accept": "application/json", "X-Count": 3]
///     headers[.userAgent] = "Mail/2.1"
///     headers.append(name: "Via", value: "1.1 proxy")
///
/// Names are the same in any letter case and keep their spelling. Two collections are equal if they hold equal fields in the
/// same order.
public struct HTTPHeaders: Sendable, Hashable {
    private var fields: [HTTPField]

    /// Creates an empty collection.
    public init() { fields = [] }

    /// Creates a collection from fields, in their order.
    public init(_ fields: some Sequence<HTTPField>) {
        self.fields = Array(fields)
    }

    /// The value of a field; `nil` if there is none.
    ///
    /// Of a field that comes more than once, reading gives all values joined with a comma, which means the same (RFC 9110,
    /// section 5.3). Two fields are exceptions: `Cookie` is joined with a semicolon (RFC 9113, section 8.2.3), and of
    /// `Set-Cookie`, which cannot be joined, it gives the first; for the others use ``values(of:)``.
    ///
    /// Writing puts one field in the place of the first and removes the others; writing `nil` removes all. If one of those
    /// replaced was marked as sensitive, the new value is too, for the same origins, so that a secret stays one.
    public subscript(name: HTTPFieldName) -> String? {
        get {
            guard let first = fields.firstIndex(where: { $0.name == name }) else { return nil }
            let isSingle = name == .setCookie || !fields[(first + 1)...].contains { $0.name == name }
            return isSingle ? fields[first].value : values(of: name).joined(separator: name == .cookie ? "; " : ", ")
        }
        set {
            guard let newValue else { return remove(name) }
            guard let first = fields.firstIndex(where: { $0.name == name }) else {
                return fields.append(HTTPField(name: name, value: newValue))
            }
            var field = HTTPField(name: name, value: newValue)
            if let old = fields[first...].first(where: { $0.name == name && $0.isSensitive }) {
                field.isSensitive = true
                field.origins = old.origins
            }
            set(field)
        }
    }

    /// All values of a field, in their order, one for each line of the head.
    public func values(of name: HTTPFieldName) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// Whether there is a field of this name.
    public func contains(_ name: HTTPFieldName) -> Bool {
        fields.contains { $0.name == name }
    }

    /// Tells names and values as they are written, without a copy of any field.
    func forEachLine(_ tell: (_ name: String, _ value: String) -> Void) {
        fields.withUnsafeBufferPointer { fields in
            for index in fields.indices { tell(fields[index].name.spelling, fields[index].value) }
        }
    }

    /// Adds a field at the end, whatever is there already.
    public mutating func append(_ field: HTTPField) {
        fields.append(field)
    }

    /// Adds a field at the end, whatever is there already.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value, without space at either end.
    ///   - isSensitive: Marks the value as a secret. `false` by default.
    ///   - origins: The origins that a sensitive value may be sent to; that of the request unless told otherwise.
    public mutating func append(
        name: HTTPFieldName,
        value: String,
        isSensitive: Bool = false,
        origins: Set<Origin>? = nil
    ) {
        fields.append(HTTPField(name: name, value: value, isSensitive: isSensitive, origins: origins))
    }

    /// Adds fields at the end, whatever is there already.
    public mutating func append(contentsOf others: some Sequence<HTTPField>) {
        fields.append(contentsOf: others)
    }

    /// Puts a field in the place of the first of its name and removes the others; at the end if there is none. The field
    /// is taken as it is, with its own mark and origins.
    public mutating func set(_ field: HTTPField) {
        guard let first = fields.firstIndex(where: { $0.name == field.name }) else { return fields.append(field) }
        fields[first] = field
        guard let second = fields[(first + 1)...].firstIndex(where: { $0.name == field.name }) else { return }
        fields[second...].removeAll { $0.name == field.name }
    }

    /// Sets a value that is a secret: it is not logged, and is sent only to the origins it is bound to.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The name of the field.
    ///   - origins: The origins it may be sent to; that of the request unless told otherwise.
    public mutating func setSensitive(_ value: String, for name: HTTPFieldName, origins: Set<Origin>? = nil) {
        set(HTTPField(name: name, value: value, isSensitive: true, origins: origins))
    }

    /// Removes all fields of a name.
    public mutating func remove(_ name: HTTPFieldName) {
        fields.removeAll { $0.name == name }
    }

    /// Removes the fields that a closure picks.
    public mutating func removeAll(where isRemoved: (HTTPField) throws -> Bool) rethrows {
        try fields.removeAll(where: isRemoved)
    }

    /// Refuses fields that must not be sent.
    ///
    /// A name that is no token and a value with a line break would let one message become two (RFC 9110, section 5.5).
    ///
    /// The fields that frame a message and those that concern one connection are the transport's; set by hand they could
    /// contradict what it does (RFC 9110, section 7.6.1; RFC 9112, section 6). They are `Content-Length`,
    /// `Transfer-Encoding`, `Connection`, `Keep-Alive`, `Proxy-Connection`, `Upgrade`; also `Trailer`, which promises fields
    /// after the body that nobody would send (section 6.6.2), and `TE`, which would invite codings that the transport has not
    /// agreed to (section 10.1.4). `TE: trailers` is let through: it is the one value that HTTP/2 knows (RFC 9113, section
    /// 8.2.2), and it asks for nothing that a client must decode.
    ///
    /// - Throws: ``MalformedValue`` that names the first field at fault, never its value.
    package func check() throws(MalformedValue) {
        for field in fields {
            let name = field.name.spelling
            guard HTTPSyntax.isToken(name) else {
                throw MalformedValue(
                    kind: "header field name",
                    name: Self.withoutValue(name),
                    reason: "a name is made of letters, digits and a few signs (RFC 9110, section 5.1)"
                )
            }
            guard HTTPSyntax.isFieldValue(field.value) else {
                throw MalformedValue(
                    kind: "header field value",
                    name: name,
                    reason: "no control characters, no space at either end (RFC 9110, section 5.5)"
                )
            }
            guard !Self.isOwnedByTransport(field) else {
                throw MalformedValue(
                    kind: "header field",
                    name: name,
                    reason: "the transport sets it from the body and the connection (RFC 9110, section 7.6.1)"
                )
            }
        }
    }

    private static func isOwnedByTransport(_ field: HTTPField) -> Bool {
        field.name == .te ? field.value.lowercased() != "trailers" : field.name.isOwnedByTransport
    }

    /// What can be shown of a name that is none: a whole line put there by mistake would have a secret behind the colon.
    private static func withoutValue(_ name: String) -> String {
        guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return name }
        return name[..<colon] + ":…"
    }
}

extension HTTPHeaders: RandomAccessCollection {
    public var startIndex: Int { fields.startIndex }

    public var endIndex: Int { fields.endIndex }

    public subscript(position: Int) -> HTTPField { fields[position] }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates fields from names and values of any kind that can be printed, in the order they are written.
    public init(dictionaryLiteral elements: (HTTPFieldName, any CustomStringConvertible)...) {
        fields = elements.map { HTTPField(name: $0, value: $1.description) }
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The fields on a line each, with values as they may be shown.
    public var description: String { fields.map(\.description).joined(separator: "\n") }

    /// The same as ``description``: a debugger and `dump` show no secret either.
    public var debugDescription: String { description }

    public var customMirror: Mirror {
        Mirror(self, unlabeledChildren: fields, displayStyle: .collection)
    }
}
