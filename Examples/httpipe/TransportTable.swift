import Pipeline

/// The transports that `--transport` can name. A new one is one line.
enum TransportTable {
    private static let makers: KeyValuePairs<String, @Sendable () -> any Transport> = [
        "urlsession": { URLSessionTransport() }
    ]

    /// The names, in the order they are listed.
    static let names = makers.map(\.key)

    /// Makes a transport; `nil` stands for the platform's best, and for a name that is not in the table.
    static func transport(named name: String?) -> (any Transport)? {
        makers.first { $0.key == name }?.value()
    }
}
