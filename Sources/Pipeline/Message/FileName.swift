package import Foundation

/// A name that a file can have on any system, whoever chose it.
package struct FileName: Sendable, Hashable {
    /// The name: 1 to 255 bytes, no path, no hidden file.
    package let text: String

    /// What most file systems let a name have, in bytes.
    private static let longest = 255
    /// An extension that is longer, in bytes, is taken for a part of the name.
    private static let longestExtension = 32

    /// Where a dot hides a file and a blank is easily missed; Windows drops both at the end.
    private static let edges = CharacterSet.whitespaces.union(CharacterSet(charactersIn: "."))

    /// Makes a name out of a stranger's text.
    ///
    /// - Returns: `nil` if nothing is left of it.
    package init?(cleaning given: String) {
        let last = given.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last
        var name = String.UnicodeScalarView()
        for scalar in last ?? ""[...].unicodeScalars where !HTTPSyntax.isControl(scalar) {
            name.append(Self.isReserved(scalar) ? "_" : scalar)
        }
        let trimmed = String(name).trimmingCharacters(in: Self.edges)
        guard !trimmed.isEmpty else { return nil }
        text = Self.cut(Self.isDevice(trimmed) ? "_\(trimmed)" : trimmed, adding: "")
    }

    /// The name of the last segment of a URL's path, decoded; `download` if there is none.
    package init(lastSegmentOf url: URL) {
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        let segment = path.split(separator: "/").last.map(String.init) ?? ""
        self = FileName(cleaning: segment.removingPercentEncoding ?? segment) ?? FileName(text: "download")
    }

    private init(text: String) { self.text = text }

    /// The name that is tried when this one is taken: `report (2).pdf`.
    package func numbered(_ number: Int) -> FileName {
        FileName(text: Self.cut(text, adding: " (\(number))"))
    }

    /// Puts something in front of the extension and takes characters away there so that the name fits.
    private static func cut(_ name: String, adding mark: String) -> String {
        var (stem, suffix) = (name[...], ""[...])
        if let dot = name.lastIndex(of: "."), dot > name.startIndex, name[dot...].utf8.count <= longestExtension {
            (stem, suffix) = (name[..<dot], name[dot...])
        }
        stem = head(of: stem, upTo: longest - mark.utf8.count - suffix.utf8.count)
        // What was within the name can be its end now.
        while suffix.isEmpty, mark.isEmpty, let last = stem.unicodeScalars.last, edges.contains(last) {
            stem.unicodeScalars.removeLast()
        }
        return stem + mark + suffix
    }

    /// The characters that fit into so many bytes.
    private static func head(of text: Substring, upTo room: Int) -> Substring {
        var left = room
        let characters = text.prefix { character in
            left -= character.utf8.count
            return left >= 0
        }
        guard characters.isEmpty else { return characters }
        // A character can have any number of marks, and then none fits. Without the last of them one does.
        left = room
        return Substring(
            text.unicodeScalars.prefix { scalar in
                left -= scalar.utf8.count
                return left >= 0
            }
        )
    }

    /// What Windows does not let a name have.
    private static func isReserved(_ scalar: Unicode.Scalar) -> Bool { "<>:\"|?*".unicodeScalars.contains(scalar) }

    /// Whether the name, with whatever extension, is that of a device of Windows.
    private static func isDevice(_ name: String) -> Bool {
        let stem = String(name.unicodeScalars.prefix { $0 != "." }).trimmingCharacters(in: .whitespaces).uppercased()
        if ["CON", "PRN", "AUX", "NUL"].contains(stem) { return true }
        return stem.utf8.count == 4 && (stem.hasPrefix("COM") || stem.hasPrefix("LPT"))
            && stem.utf8.last.map(HTTPSyntax.isDigit) == true
    }
}
