/// The transport of networks that name none: one per process.
enum DefaultTransport {
    #if canImport(Glibc)
        static let shared: any Transport = CurlTransport()
    #else
        static let shared: any Transport = URLSessionTransport()
    #endif
}
