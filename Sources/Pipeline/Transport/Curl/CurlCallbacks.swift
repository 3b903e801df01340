#if canImport(Glibc)
    import CCurl
    import Foundation

    /// The functions that libcurl calls, each of which finds the transfer that it was told of.
    enum CurlCallbacks {
        /// Finds the transfer. Its pool holds it while libcurl works on it, so that nobody else need.
        private static func transfer<Result>(
            _ context: UnsafeMutableRawPointer?,
            _ body: (CurlTransfer) -> Result
        ) -> Result? {
            context.map { Unmanaged<CurlTransfer>.fromOpaque($0)._withUnsafeGuaranteedRef(body) }
        }

        static let head: ccurl_data_callback = { bytes, size, count, context in
            let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return transfer(context) { $0.receive(headLine: line) } == true ? line.count : 0
        }

        static let body: ccurl_data_callback = { bytes, size, count, context in
            let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return transfer(context) { $0.receive(piece) } == true ? piece.count : 0
        }

        static let upload: ccurl_data_callback = { bytes, size, count, context in
            let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            return transfer(context) { $0.send(into: buffer) } ?? 0
        }

        static let seek: ccurl_seek_callback = { context, offset, _ in
            let isPossible = offset == 0 && transfer(context) { $0.isAtBeginning } == true
            return Int32(isPossible ? CCURL_SEEKFUNC_OK : CCURL_SEEKFUNC_FAIL)
        }

        /// Called only while a body arrives that nothing but the end of its connection ends.
        static let progress: ccurl_progress_callback = { context, _, _, _, _ in
            transfer(context) { $0.noteEndOfTLS() }
            return 0
        }

        static let beforeRequest: ccurl_before_request_callback = { context, _, _, _, _ in
            transfer(context) { $0.mayDepart() } == true ? 0 : 1
        }

        /// Sets up a connection that is being made.
        static let secure: ccurl_tls_callback = { _, tlsContext, context in
            guard let tlsContext, transfer(context, { $0.prepare(tlsContext) }) == true else {
                return Int32(CCURL_E_SSL_CACERT_BADFILE)
            }
            return Int32(CCURL_E_OK)
        }
    }
#endif
