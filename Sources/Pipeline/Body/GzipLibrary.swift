import Foundation

#if canImport(zlib)
    import zlib

    /// The system's zlib.
    enum GzipLibrary {
        /// Why nothing can be compressed; `nil` if it can.
        static let obstacle: String? = nil

        /// - Returns: `nil` if there is no memory.
        static func compress(_ data: Data, level: Int) -> Data? {
            // zlib compares the address of its stream from call to call.
            let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
            stream.initialize(to: z_stream())
            defer { stream.deallocate() }
            let window = MAX_WBITS + 16  // The format of gzip and not zlib's own.
            let code = deflateInit2_(
                stream,
                Int32(level),
                Z_DEFLATED,
                window,
                8,  // How much memory it takes unless told otherwise.
                Z_DEFAULT_STRATEGY,
                ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)
            )
            guard code == Z_OK else { return nil }
            defer { deflateEnd(stream) }
            return data.withUnsafeBytes { deflate(stream, $0.bindMemory(to: UInt8.self)) }
        }

        private static func deflate(
            _ stream: UnsafeMutablePointer<z_stream>,
            _ input: UnsafeBufferPointer<UInt8>
        ) -> Data? {
            let largestPiece = 1 << 30  // zlib counts a piece of input with 32 bits.
            var rest = input[...]
            var output = [UInt8](repeating: 0, count: 16_384)
            var compressed = Data()
            var code = Z_OK
            while code == Z_OK {
                if stream.pointee.avail_in == 0, !rest.isEmpty {
                    let piece = UnsafeBufferPointer(rebasing: rest.prefix(largestPiece))
                    stream.pointee.next_in = UnsafeMutablePointer(mutating: piece.baseAddress)
                    stream.pointee.avail_in = UInt32(piece.count)
                    rest = rest.dropFirst(largestPiece)
                }
                output.withUnsafeMutableBufferPointer { output in
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(output.count)
                    code = zlib.deflate(stream, rest.isEmpty ? Z_FINISH : Z_NO_FLUSH)
                }
                compressed.append(contentsOf: output[..<(output.count - Int(stream.pointee.avail_out))])
            }
            return code == Z_STREAM_END ? compressed : nil
        }
    }
#elseif canImport(Glibc)
    import CCurl

    /// zlib as it was found on this machine.
    enum GzipLibrary {
        /// Why nothing can be compressed; `nil` if it can.
        static let obstacle: String? = ccurl_gzip_load().map { String(cString: $0) }

        /// - Returns: `nil` if there is no memory.
        static func compress(_ data: Data, level: Int) -> Data? {
            var compressed = Data()
            let isDone = withUnsafeMutablePointer(to: &compressed) { compressed in
                data.withUnsafeBytes { input in
                    ccurl_gzip(
                        input.bindMemory(to: UInt8.self).baseAddress,
                        input.count,
                        Int32(level),
                        { context, bytes, count in
                            guard let bytes else { return }
                            context?.assumingMemoryBound(to: Data.self).pointee.append(bytes, count: count)
                        },
                        compressed
                    )
                }
            }
            return isDone == 0 ? nil : compressed
        }
    }
#else
    /// No zlib: a statically linked program loads no libraries at run time.
    enum GzipLibrary {
        /// Why nothing can be compressed.
        static let obstacle: String? = "this platform has no zlib that could be loaded"

        static func compress(_ data: Data, level: Int) -> Data? { nil }
    }
#endif
