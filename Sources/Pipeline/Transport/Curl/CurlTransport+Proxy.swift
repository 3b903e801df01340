#if canImport(Glibc)
    public import Foundation

    extension CurlTransport {
        /// Through whom requests go.
        ///
        /// A plain request is handed to the proxy whole; for https it only relays bytes (CONNECT, RFC 9110, section 9.3.6).
        /// Its credentials are shown to the proxy alone, and the fields of a request never to the proxy of an https one. The
        /// certificate of a proxy that is reached over https is verified against the system's trust roots, for an https request
        /// against those of its policy too; a failure there is `proxy-failed`.
        public struct Proxy: Sendable, Hashable {
            enum Kind: Sendable, Hashable {
                case environment
                case none
                case server(URL, Credentials?, exclusions: [String])
            }

            struct Credentials: Sendable, Hashable {
                let user: String
                let password: String
            }

            let kind: Kind

            /// What the environment names: `http_proxy`, `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`. Whether it names any is looked up
            /// when the transport begins its work, not for each request.
            public static let environment = Proxy(kind: .environment)

            /// Nobody, whatever the environment names.
            public static let none = Proxy(kind: .none)

            /// A proxy of your choice.
            ///
            /// - Parameters:
            ///   - url: Where it listens, with one of the schemes http, https, socks4, socks4a, socks5, socks5h.
            ///   - user: The user name, if it asks for one (Basic, RFC 7617).
            ///   - password: The password.
            ///   - exclusions: Hosts that are asked directly; a name stands for those below it too.
            public static func server(
                _ url: URL,
                user: String? = nil,
                password: String? = nil,
                exclusions: [String] = []
            ) -> Proxy {
                let credentials = user.map { Credentials(user: $0, password: password ?? "") }
                return Proxy(kind: .server(url, credentials, exclusions: exclusions))
            }
        }
    }

    extension CurlTransport.Proxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// Where it listens, without credentials.
        public var description: String {
            switch kind {
            case .environment: "the proxy of the environment"
            case .none: "no proxy"
            case .server(let url, _, _): url.redacted
            }
        }

        public var debugDescription: String { description }

        public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
    }

    extension CurlTransport.Configuration {
        /// The same without a proxy, if it is the environment's and that names none: libcurl would look for it at each request.
        var withoutAbsentProxy: Self {
            guard case .environment = proxy.kind, !ProxyEnvironment.namesProxy else { return self }
            var configuration = self
            configuration.proxy = .none
            return configuration
        }
    }
#endif
