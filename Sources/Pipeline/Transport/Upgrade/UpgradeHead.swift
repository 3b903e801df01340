package import Foundation

/// The head of a request that asks to leave HTTP, as bytes (RFC 9112, section 3; RFC 9110, section 7.8).
package enum UpgradeHead {
    /// Writes the head.
    ///
    /// - Parameters:
    ///   - request: A request that has passed its check, so that no field can break the head apart.
    ///   - upgrade: What it asks for.
    ///   - origin: Where it goes.
    ///   - userAgent: What it calls itself if it does not say so.
    package static func bytes(
        of request: NetworkRequest,
        upgradingTo upgrade: String,
        at origin: Origin,
        userAgent: String?
    ) -> Data {
        var lines = ["\(request.method) \(target(of: request.url)) HTTP/1.1"]
        if !request.headers.contains(.host) { lines.append("Host: \(authority(of: origin))") }
        lines += ["Upgrade: \(upgrade)", "Connection: Upgrade"]
        if let userAgent, !request.headers.contains(.userAgent) { lines.append("User-Agent: \(userAgent)") }
        lines += request.headers.map { "\($0.name.spelling): \($0.value)" }
        return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// Path and query as they stand in the URL (RFC 9112, section 3.2.1).
    private static func target(of url: URL) -> String {
        let text = url.absoluteString.utf8
        let end = text.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        // Behind the two slashes, which a URL with a host has.
        var start = text.firstIndex(of: UInt8(ascii: "/")) ?? text.startIndex
        start = text.index(start, offsetBy: 2, limitedBy: end) ?? end
        guard let path = text[start..<end].firstIndex(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") })
        else { return "/" }
        let target = String(decoding: text[path..<end], as: UTF8.self)
        return target.hasPrefix("?") ? "/" + target : target
    }

    /// Host and port (RFC 9110, section 7.2).
    private static func authority(of origin: Origin) -> String {
        let text = origin.description.utf8
        return String(decoding: text.dropFirst(origin.scheme.utf8.count + 3), as: UTF8.self)
    }
}
