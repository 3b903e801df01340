#if canImport(Glibc)
    import CCurl
    import Foundation

    /// The functions that libcurl calls, each of which finds the transfer that it was told of.
    enum CurlCallbacks {
        private static func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
            context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
        }

        static let head: ccurl_data_callback = { bytes, size, count, context in
            let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return transfer(context)?.receive(headLine: line) == true ? line.count : 0
        }

        static let body: ccurl_data_callback = { bytes, size, count, context in
            let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return transfer(context)?.receive(piece) == true ? piece.count : 0
        }

        static let upload: ccurl_data_callback = { bytes, size, count, context in
            let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            return transfer(context)?.send(into: buffer) ?? 0
        }

        static let seek: ccurl_seek_callback = { context, offset, _ in
            Int32(offset == 0 && transfer(context)?.isAtBeginning == true ? CCURL_SEEKFUNC_OK : CCURL_SEEKFUNC_FAIL)
        }

        /// Called only while a body arrives that nothing but the end of its connection ends.
        static let progress: ccurl_progress_callback = { context, _, _, _, _ in
            transfer(context)?.noteEndOfTLS()
            return 0
        }

        static let beforeRequest: ccurl_before_request_callback = { context, _, _, _, _ in
            transfer(context)?.mayDepart() == true ? 0 : 1
        }

        /// Sets up a connection that is being made.
        static let secure: ccurl_tls_callback = { _, tlsContext, context in
            guard let tlsContext, let transfer = transfer(context), transfer.prepare(tlsContext) else {
                return Int32(CCURL_E_SSL_CACERT_BADFILE)
            }
            return Int32(CCURL_E_OK)
        }
    }
#endif
