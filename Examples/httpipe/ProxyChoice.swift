import Foundation

/// What `--proxy` says.
enum ProxyChoice: Sendable, Hashable {
    /// What the environment names.
    case environment
    /// Nobody, whatever the environment names.
    case none
    /// A proxy, and its credentials taken out of the URL, where they would not be safe from being printed.
    case server(URL, user: String?, password: String?)

    private static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    /// Reads `none`, or a URL that may hold a user name and a password. One without a scheme is http.
    ///
    /// - Throws: ``UsageError``, which repeats nothing of the text.
    init(_ text: String) throws(UsageError) {
        if text == "none" {
            self = .none
            return
        }
        let mark = text.range(of: "://")
        let scheme = mark.map { text[..<$0.lowerBound].lowercased() } ?? "http"
        guard Self.schemes.contains(scheme) else {
            throw UsageError("--proxy takes one of the schemes \(Self.schemes.joined(separator: ", "))")
        }
        var authority = text[(mark?.upperBound ?? text.startIndex)...]
        if authority.hasSuffix("/") { authority.removeLast() }
        // A password may hold any character, this sign too, and a host cannot: the last one divides them.
        let sign = authority.lastIndex(of: "@")
        let address = sign.map { authority[authority.index(after: $0)...] } ?? authority
        guard !address.contains(where: { "/?#".contains($0) }), let url = URL(string: "\(scheme)://\(address)"),
            url.host()?.isEmpty == false, url.path().isEmpty, (url.port ?? 1) > 0, (url.port ?? 1) <= UInt16.max
        else { throw UsageError("--proxy takes scheme, host and port, or none") }
        guard let sign else {
            self = .server(url, user: nil, password: nil)
            return
        }
        let credentials = authority[..<sign].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let decoded = credentials.map(\.removingPercentEncoding)
        guard let user = decoded[0], let password = decoded.last ?? nil else {
            throw UsageError("--proxy: percent-encode the user name and the password")
        }
        self = .server(url, user: user, password: decoded.count > 1 ? password : nil)
    }
}

extension ProxyChoice: CustomStringConvertible {
    /// The proxy without its credentials.
    var description: String {
        switch self {
        case .environment: "the proxy of the environment"
        case .none: "no proxy"
        case .server(let url, _, _): url.absoluteString
        }
    }
}
