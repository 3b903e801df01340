import Foundation
import Pipeline

/// The file of a ``CookieJar``: JSON, with a number for its format.
struct CookieFile: Sendable {
    let file: PrivateFile
    let keepsSessionCookies: Bool

    private static let format = 1

    private struct Content: Codable {
        var format: Int
        var cookies: [Line]
    }

    private struct Line: Codable {
        var name: String
        var value: String
        var domain: String
        var isHostOnly: Bool
        var path: String
        var expires: Date?
        var isSecure: Bool
        var isHTTPOnly: Bool
        var sameSite: Cookie.SameSite?
        var created: Date

        init(_ cookie: Cookie) {
            name = cookie.name
            value = cookie.value
            domain = cookie.domain
            isHostOnly = cookie.isHostOnly
            path = cookie.path
            expires = cookie.expires
            isSecure = cookie.isSecure
            isHTTPOnly = cookie.isHTTPOnly
            sameSite = cookie.sameSite
            created = cookie.created
        }

        func cookie() throws -> Cookie {
            try Cookie(
                name: name,
                value: value,
                domain: domain,
                isHostOnly: isHostOnly,
                path: path,
                expires: expires,
                isSecure: isSecure,
                isHTTPOnly: isHTTPOnly,
                sameSite: sameSite,
                created: created
            )
        }
    }

    func read() throws(NetworkError) -> [Cookie] {
        guard let data = try file.read() else { return [] }
        do {
            let content = try JSONDecoder().decode(Content.self, from: data)
            guard content.format == Self.format else {
                throw MalformedValue(
                    kind: "format",
                    name: "\(content.format)",
                    reason: "this version writes and reads 1"
                )
            }
            return try content.cookies.map { try $0.cookie() }
        } catch {
            throw NetworkError(
                .fileFailed,
                "\(file.url.lastPathComponent) does not hold cookies as this version writes them; remove it to begin anew",
                underlying: error
            )
        }
    }

    func write(_ cookies: [Cookie]) throws(NetworkError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let data: Data
        do {
            data = try encoder.encode(Content(format: Self.format, cookies: cookies.map(Line.init)))
        } catch {
            throw NetworkError(.fileFailed, "the cookies cannot be encoded", underlying: error)
        }
        try file.write(data)
    }
}
