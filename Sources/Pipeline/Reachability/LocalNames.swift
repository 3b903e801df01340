import Foundation

/// What a machine without a way out knows of names: those in its files, and those that a resolver on the machine itself may
/// know.
struct LocalNames: Sendable {
    private let hosts: Set<String>
    private let hasResolver: Bool

    /// - Parameters:
    ///   - hostsFile: The text of `/etc/hosts` (hosts(5)).
    ///   - resolverFile: The text of `/etc/resolv.conf` (resolv.conf(5)). Without a name server in it, or without the file, this
    ///     machine is asked.
    ///   - hostName: The name of this machine, which many resolvers know.
    init(hostsFile: String, resolverFile: String, hostName: String) {
        var hosts: Set = [hostName.lowercased()]
        for line in hostsFile.split(whereSeparator: \.isNewline) {
            let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
            hosts.formUnion(words.dropFirst().map { $0.lowercased() })
        }
        self.hosts = hosts
        let servers = resolverFile.split(whereSeparator: \.isNewline).compactMap { line -> Substring? in
            let words = line.split(whereSeparator: \.isWhitespace)
            return words.count > 1 && words[0] == "nameserver" ? words[1] : nil
        }
        hasResolver = servers.isEmpty || servers.contains { AddressPrefix(address: String($0))?.isLoopback ?? true }
    }

    /// Reads the files of this machine.
    static func read() -> LocalNames {
        LocalNames(
            hostsFile: text(of: "/etc/hosts"),
            resolverFile: text(of: "/etc/resolv.conf"),
            hostName: ownName
        )
    }

    // Foundation would ask a resolver for it.
    private static var ownName: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, gethostname(start, buffer.count - 1) == 0 else { return "" }
            buffer[buffer.count - 1] = 0
            return String(cString: start)
        }
    }

    private static func text(of path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Whether this machine may find an address for a name although it has no way out.
    func mayKnow(_ name: String) -> Bool {
        hasResolver || hosts.contains(name)
    }

    /// Whether a name means this machine (RFC 6761, section 6.3).
    static func isLoopback(_ name: String) -> Bool { name == "localhost" || name.hasSuffix(".localhost") }

    /// Whether a name is no matter of routes: neighbours answer for `.local` (RFC 6762, section 3), nobody for `.invalid`
    /// (RFC 6761, section 6.4), and what ends in a digit is an address in an unusual notation.
    static func isSpecial(_ name: String) -> Bool {
        guard let last = name.split(separator: ".").last else { return true }
        return last == "local" || last == "invalid" || last.first?.isNumber ?? true
    }
}
