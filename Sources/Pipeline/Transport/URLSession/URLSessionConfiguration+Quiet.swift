#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

extension URLSessionConfiguration {
    /// A copy whose sessions remember nothing and impose no time limits.
    package func keepingNothing() -> URLSessionConfiguration {
        guard let copy = copy() as? URLSessionConfiguration else { return .ephemeral.keepingNothing() }
        copy.httpShouldSetCookies = false
        copy.httpCookieAcceptPolicy = .never
        copy.httpCookieStorage = nil
        copy.urlCredentialStorage = nil
        if !hasCacheOfCaller { copy.urlCache = nil }
        // The transport keeps the time limits of each request; these only must not strike first.
        copy.timeoutIntervalForRequest = Self.aWeek
        copy.timeoutIntervalForResource = Self.aWeek
        return copy
    }

    /// A copy for the connections of a TLS policy.
    func adopting(_ tls: TLSPolicy?) -> URLSessionConfiguration {
        guard let copy = copy() as? URLSessionConfiguration else { return self }
        #if canImport(Darwin)
            switch tls?.minimumVersion {
            case .tls1_2: copy.tlsMinimumSupportedProtocolVersion = .TLSv12
            case .tls1_3: copy.tlsMinimumSupportedProtocolVersion = .TLSv13
            case nil: break
            }
        #endif
        return copy
    }

    private static let aWeek: Double = 7 * 24 * 60 * 60

    /// Whether the cache is one that somebody made for this configuration.
    ///
    /// `default` comes with the shared cache. `ephemeral` comes with one of its own that has no place on disk; a caller's
    /// cache that is in memory only is told apart from it by its size.
    private var hasCacheOfCaller: Bool {
        guard let urlCache, urlCache !== URLCache.shared else { return false }
        let unasked = URLSessionConfiguration.ephemeral.urlCache
        return urlCache.diskCapacity != unasked?.diskCapacity || urlCache.memoryCapacity != unasked?.memoryCapacity
    }
}

extension URLSessionConfiguration {
    /// Whether requests may go through a proxy that was named here or in the environment, or be answered by a protocol class
    /// that is none of the system's.
    var mayGoElsewhere: Bool {
        if !(connectionProxyDictionary ?? [:]).isEmpty { return true }
        if (protocolClasses ?? []).count != (URLSessionConfiguration.ephemeral.protocolClasses ?? []).count {
            return true
        }
        #if canImport(Darwin)
            return false
        #else
            return ProxyEnvironment.namesProxy
        #endif
    }
}
