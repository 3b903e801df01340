// The few declarations of the system's zlib that the package uses.

public struct z_stream {
    public var next_in: UnsafeMutablePointer<UInt8>?
    public var avail_in: UInt32 = 0
    public var next_out: UnsafeMutablePointer<UInt8>?
    public var avail_out: UInt32 = 0

    public init() {}
}

public let ZLIB_VERSION = "1.2.12"
public let MAX_WBITS: Int32 = 15
public let Z_OK: Int32 = 0
public let Z_STREAM_END: Int32 = 1
public let Z_NO_FLUSH: Int32 = 0
public let Z_FINISH: Int32 = 4
public let Z_DEFLATED: Int32 = 8
public let Z_DEFAULT_STRATEGY: Int32 = 0

public func deflateInit2_(
    _ stream: UnsafeMutablePointer<z_stream>?,
    _ level: Int32,
    _ method: Int32,
    _ window: Int32,
    _ memory: Int32,
    _ strategy: Int32,
    _ version: UnsafePointer<CChar>?,
    _ size: Int32
) -> Int32 { -2 }

public func deflate(_ stream: UnsafeMutablePointer<z_stream>?, _ flush: Int32) -> Int32 { -2 }

@discardableResult
public func deflateEnd(_ stream: UnsafeMutablePointer<z_stream>?) -> Int32 { -2 }
