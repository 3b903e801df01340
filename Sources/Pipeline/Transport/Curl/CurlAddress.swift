#if canImport(Glibc)
    import Foundation

    /// The URL of a request as libcurl is told it: as a text and, where that is the same to the byte, taken apart.
    ///
    /// libcurl takes the text apart and puts it together again for each request, which is a sixth of what a small one costs
    /// it. Over a handle whose last request went to the same origin, it is told a path and a query instead.
    struct CurlAddress {
        /// The whole, without its fragment, which is the client's own (RFC 9110, section 4.2.5).
        let text: UnsafePointer<CChar>
        /// How much of the text stands before the path; `nil` if only libcurl is to take it apart.
        let originLength: Int?
        let path: UnsafePointer<CChar>
        /// `nil` if there is no question mark.
        let query: UnsafePointer<CChar>?

        /// Where the parts of a text are, in bytes from its beginning.
        struct Cut {
            let path: Int
            /// Behind the question mark.
            let query: Int?

            /// Cuts a text that begins with `http://` or `https://` and has a path.
            ///
            /// - Returns: `nil` if anything is encoded, in the host too, or cannot stand in a URL: libcurl writes the digits of
            ///   percent-encoding anew in a part that is set, and refuses control characters only in a whole URL.
            init?(_ bytes: UnsafeBufferPointer<UInt8>) {
                guard let path = Self.pathStart(in: bytes), bytes.allSatisfy(Self.staysAsItIs) else { return nil }
                self.path = path
                query = bytes[path...].firstIndex(of: UInt8(ascii: "?")).map { $0 + 1 }
                // A question mark with nothing behind it is a matter of taste.
                if query == bytes.count { return nil }
            }

            private static func pathStart(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
                guard let scheme = length(of: "https://", in: bytes) ?? length(of: "http://", in: bytes) else {
                    return nil
                }
                let end = bytes[scheme...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
                return end.flatMap { bytes[$0] == UInt8(ascii: "/") ? $0 : nil }
            }

            private static func length(of scheme: StaticString, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
                scheme.withUTF8Buffer { bytes.starts(with: $0) ? $0.count : nil }
            }

            private static func staysAsItIs(_ byte: UInt8) -> Bool {
                (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "%")
            }
        }
    }
#endif
