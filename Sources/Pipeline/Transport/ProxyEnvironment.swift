import Foundation

/// What the environment says about proxies.
enum ProxyEnvironment {
    /// What libcurl heeds: `HTTP_PROXY` in capitals it does not.
    private static let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]

    /// Whether it names a proxy.
    static var namesProxy: Bool {
        names.contains { name in getenv(name).map { $0.pointee != 0 } ?? false }
    }
}
