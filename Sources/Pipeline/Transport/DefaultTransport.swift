/// The transport of networks that name none: one per process.
enum DefaultTransport {
    static let shared: any Transport = URLSessionTransport()
}
