#if canImport(Glibc)
    import Foundation

    extension CurlTransport.Configuration {
        /// The host that a connection for an origin is made to; `nil` if it is this machine's or cannot be told.
        func host(for origin: Origin) -> String? {
            if origin.host == "127.0.0.1" || origin.isLoopback || unixSocket != nil { return nil }
            switch proxy.kind {
            case .none: return resolved(origin)
            case .environment: return ProxyEnvironment.namesProxy ? nil : resolved(origin)
            case .server(let url, _, let exclusions):
                guard exclusions.isEmpty, let host = url.host(percentEncoded: false)?.lowercased() else { return nil }
                return host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
            }
        }

        /// The host, or the one address that was given for it. What else can be said there is left to libcurl.
        private func resolved(_ origin: Origin) -> String? {
            if resolve.isEmpty { return origin.host }
            let address = resolve["\(origin.host):\(origin.port)"]
            return address.flatMap { AddressPrefix(address: $0) == nil ? nil : $0 }
        }
    }
#endif
