import Foundation

/// The cookies of a jar, without lock, clock or file.
struct CookieList: Sendable {
    private struct Entry: Sendable {
        var cookie: Cookie
        var lastUsed: Date
        /// Tells the order of cookies that were stored at the same time.
        let serial: Int
    }

    /// What storing a cookie did.
    struct Change: Sendable {
        /// The cookie is there now.
        var isStored = false
        /// One that was there before is not any more, for whatever reason.
        var removed: [Cookie] = []
    }

    private var byDomain: [String: [Entry]] = [:]
    private var count = 0
    private var lastSerial = 0

    /// All cookies, in the order in which they were first stored.
    var all: [Cookie] {
        byDomain.values.joined().sorted { $0.serial < $1.serial }.map(\.cookie)
    }

    // MARK: Sending

    /// The cookies for a place, in the order of the `Cookie` field (RFC 6265, section 5.4): longer paths first, then those
    /// that were stored earlier. They count as used.
    mutating func take(for location: CookieLocation, at now: Date) -> [Cookie] {
        var found: [Entry] = []
        for domain in CookieDomain.lineage(of: location.host) {
            guard let entries = byDomain[domain] else { continue }
            for (position, entry) in entries.enumerated() where Self.isFor(entry.cookie, location, at: now) {
                byDomain[domain]?[position].lastUsed = now
                found.append(entry)
            }
        }
        return found.sorted(by: Self.goesBefore).map(\.cookie)
    }

    private static func isFor(_ cookie: Cookie, _ location: CookieLocation, at now: Date) -> Bool {
        (!cookie.isHostOnly || cookie.domain == location.host) && (!cookie.isSecure || location.isSecure)
            && !cookie.hasExpired(at: now) && location.isWithin(path: cookie.path)
    }

    private static func goesBefore(_ one: Entry, _ other: Entry) -> Bool {
        let (length, otherLength) = (one.cookie.path.utf8.count, other.cookie.path.utf8.count)
        if length != otherLength { return length > otherLength }
        if one.cookie.created != other.cookie.created { return one.cookie.created < other.cookie.created }
        return one.serial < other.serial
    }

    // MARK: Storing

    /// Stores a cookie, or takes away the one it would replace if it has expired.
    ///
    /// - Parameter isTrusted: Whether it came over a secure connection or from the application. Another must not touch a
    ///   secure cookie (RFC 6265's successor, section 5.7).
    mutating func store(
        _ cookie: Cookie,
        isTrusted: Bool,
        at now: Date,
        limits: CookieLimits
    ) throws(CookieRefusal) -> Change {
        guard isTrusted || !shadowsSecure(cookie) else { throw .overSecureCookie }
        var change = Change()
        var cookie = cookie
        var serial: Int?
        removeAll(in: cookie.domain) { entry in
            guard entry.cookie.isReplaced(by: cookie) else { return false }
            cookie.created = entry.cookie.created
            serial = entry.serial
            change.removed.append(entry.cookie)
            return true
        }
        guard !cookie.hasExpired(at: now) else { return change }
        if serial == nil { lastSerial += 1 }
        byDomain[cookie.domain, default: []].append(
            Entry(cookie: cookie, lastUsed: now, serial: serial ?? lastSerial)
        )
        count += 1
        change.isStored = true
        change.removed += evict(from: cookie.domain, at: now, limits: limits)
        return change
    }

    /// Removes what a closure picks.
    ///
    /// - Returns: The cookies that were removed.
    mutating func removeAll(where isRemoved: (Cookie) -> Bool) -> [Cookie] {
        var removed: [Cookie] = []
        for domain in Array(byDomain.keys) {
            removeAll(in: domain) { entry in
                guard isRemoved(entry.cookie) else { return false }
                removed.append(entry.cookie)
                return true
            }
        }
        return removed
    }

    /// Whether a secure cookie of this name would be hidden or replaced.
    private func shadowsSecure(_ cookie: Cookie) -> Bool {
        guard !cookie.isSecure else { return false }
        return byDomain.contains { domain, entries in
            let isRelated =
                CookieDomain.host(domain, isWithin: cookie.domain) || CookieDomain.host(cookie.domain, isWithin: domain)
            return isRelated
                && entries.contains {
                    $0.cookie.name == cookie.name && $0.cookie.isSecure
                        && CookieLocation.path(cookie.path, isWithin: $0.cookie.path)
                }
        }
    }

    // MARK: Making room

    private mutating func evict(from domain: String, at now: Date, limits: CookieLimits) -> [Cookie] {
        var evicted: [Cookie] = []
        if let entries = byDomain[domain], entries.count > limits.perDomain {
            let victims = Self.victims(in: entries, at: now, beyond: limits.perDomain)
            evicted += remove(victims)
        }
        if count > limits.total {
            let victims = Self.victims(in: Array(byDomain.values.joined()), at: now, beyond: limits.total)
            evicted += remove(victims)
        }
        return evicted
    }

    /// What has expired, and as many of the others as are too many: the insecure ones first, then the longest unused.
    private static func victims(in entries: [Entry], at now: Date, beyond limit: Int) -> Set<Int> {
        let expired = entries.filter { $0.cookie.hasExpired(at: now) }
        let others = entries.filter { !$0.cookie.hasExpired(at: now) }.sorted { one, other in
            if one.cookie.isSecure != other.cookie.isSecure { return other.cookie.isSecure }
            if one.lastUsed != other.lastUsed { return one.lastUsed < other.lastUsed }
            return one.serial < other.serial
        }
        return Set((expired + others.prefix(max(0, others.count - limit))).map(\.serial))
    }

    private mutating func remove(_ serials: Set<Int>) -> [Cookie] {
        var removed: [Cookie] = []
        for domain in Array(byDomain.keys) {
            removeAll(in: domain) { entry in
                guard serials.contains(entry.serial) else { return false }
                removed.append(entry.cookie)
                return true
            }
        }
        return removed
    }

    private mutating func removeAll(in domain: String, where isRemoved: (Entry) -> Bool) {
        guard var entries = byDomain[domain] else { return }
        let before = entries.count
        entries.removeAll(where: isRemoved)
        count -= before - entries.count
        byDomain[domain] = entries.isEmpty ? nil : entries
    }
}
