import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPHeaders {
    /// The fields of a response, sorted by name: Foundation keeps them in a dictionary that has no order.
    init(_ response: HTTPURLResponse) {
        var fields: [HTTPField] = []
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, let value = value as? String else { continue }
            let fieldName = HTTPFieldName(name)
            let values = fieldName == .setCookie ? SetCookieList.values(in: value) : [value]
            fields += values.map { HTTPField(name: fieldName, value: $0) }
        }
        self.init(fields.sorted { $0.name.spelling < $1.name.spelling })
    }
}

extension HTTPURLResponse {
    /// The length of the body as it travels, if the response announced it.
    var announcedLength: Int? { expectedContentLength >= 0 ? Int(expectedContentLength) : nil }
}

/// `Set-Cookie` fields that Foundation joined with commas.
package enum SetCookieList {
    /// Takes the fields apart.
    ///
    /// By the grammar of RFC 6265, section 4.1.1, a comma stands in the date of `Expires` and hardly anywhere else. So a new
    /// field begins after a comma that is followed by a name and `=`, which no date is.
    package static func values(in joined: String) -> [String] {
        var values: [String] = []
        for part in joined.unicodeScalars.split(separator: ",", omittingEmptySubsequences: false) {
            let text = String(part).trimmingCharacters(in: .whitespaces)
            if values.isEmpty || beginsCookie(text) {
                values.append(text)
            } else {
                values[values.count - 1] += "," + String(part)
            }
        }
        return values
    }

    private static func beginsCookie(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        guard let end = scalars.firstIndex(where: { $0 == "=" || $0 == ";" }), scalars[end] == "=" else { return false }
        return HTTPSyntax.isToken(String(text[..<end]))
    }
}
