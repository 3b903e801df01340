#if canImport(Glibc)
    /// What libcurl says about a transfer that failed. It is the cause underneath a ``NetworkError`` of ``CurlTransport``.
    public struct CurlError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The number of the error, libcurl's `CURLcode`.
        public let code: Int

        /// libcurl's own text. It can name hosts, addresses and ports, never header fields or queries.
        public let text: String

        /// Creates an error.
        public init(code: Int, text: String) {
            self.code = code
            self.text = text
        }

        /// The number and the text.
        public var description: String { "libcurl \(code): \(HTTPSyntax.printable(text))" }
    }
#endif
