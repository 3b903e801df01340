public import Foundation
public import Pipeline

/// Keeps cookies as RFC 6265 says, for a ``CookieAction`` and for the application.
///
///     let jar = try CookieJar(file: PrivateFile(folder.appending(path: "cookies.json")))
///     let network = Network(baseURL: api, actions: [.cookies(jar)])
///     …
///     jar.removeAll()     // at logout
///
/// A jar in memory forgets everything with the program. One with a file reads it when it is made and writes it after each
/// change that outlasts the program; the file is a ``/Pipeline/PrivateFile``. Session cookies are not written unless told
/// otherwise.
///
/// **What it leaves out.** There is no list of public suffixes, which would have to be kept up to date. A `Domain` attribute
/// that names an address or a single label (`com`, `localhost`) is refused, unless it is the very host that sends it; then the
/// cookie is for that host alone. But `co.uk` looks like any domain: a server at `evil.co.uk` can set a cookie that is then
/// sent to `shop.co.uk`. It can never read one of another host. Programs that talk to servers which do not trust each other
/// use a jar for each.
///
/// As the RFC has it, cookies do not tell ports apart, and one that is not `Secure` is sent over plain http too. `SameSite`
/// is kept and has no meaning.
public final class CookieJar: Sendable {
    private struct State: Sendable {
        var list = CookieList()
        /// Counts the changes that belong into the file.
        var changes = 0
        var savedChanges = 0
        /// The changes when writing was last tried.
        var triedChanges = 0
        var isWriting = false
    }

    private let state: Guarded<State>
    private let file: CookieFile?
    /// Those who write the file take turns.
    private let turn = Guarded(())

    /// The limits.
    public let limits: CookieLimits

    /// Creates an empty jar in memory.
    ///
    /// - Parameter limits: How many cookies it keeps, and how large.
    public init(limits: CookieLimits = CookieLimits()) {
        self.limits = limits
        file = nil
        state = Guarded(State())
    }

    /// Creates a jar with the cookies of a file, and keeps the file up to date.
    ///
    /// Two jars with the same file overwrite each other's cookies: share one.
    ///
    /// - Parameters:
    ///   - file: The file, which need not exist; its folder must.
    ///   - keepsSessionCookies: Whether cookies without an end are written too. They are not unless told otherwise: the server
    ///     means them to end with the session.
    ///   - limits: How many cookies it keeps, and how large.
    /// - Throws: `NetworkError` `file-failed` if the file cannot be read or does not hold cookies.
    public init(
        file: PrivateFile,
        keepsSessionCookies: Bool = false,
        limits: CookieLimits = CookieLimits()
    ) throws(NetworkError) {
        let cookieFile = CookieFile(file: file, keepsSessionCookies: keepsSessionCookies)
        var state = State()
        for cookie in try cookieFile.read() {
            // There is no clock at hand: what was kept counts as not used since it was made.
            _ = try? state.list.store(cookie, isTrusted: true, at: cookie.created, limits: limits)
        }
        self.limits = limits
        self.file = cookieFile
        self.state = Guarded(state)
    }

    // MARK: Reading

    /// The cookies that have not ended, in the order in which they were first stored.
    ///
    /// - Parameter now: The time on the wall; the machine's unless told otherwise.
    public func cookies(at now: Date = Date()) -> [Cookie] {
        state.withLock { $0.list.all }.filter { !$0.hasExpired(at: now) }
    }

    /// The cookies that a request to a URL would carry, in the order of the `Cookie` field (RFC 6265, section 5.4). They
    /// count as used.
    ///
    /// - Parameters:
    ///   - url: Where the request goes.
    ///   - now: The time on the wall; the machine's unless told otherwise.
    public func cookies(for url: URL, at now: Date = Date()) -> [Cookie] {
        guard let location = CookieLocation(url) else { return [] }
        return state.withLock { $0.list.take(for: location, at: now) }
    }

    // MARK: Changing

    /// Stores the cookies of a response, as far as they may be stored.
    ///
    /// - Parameters:
    ///   - fields: The values of its `Set-Cookie` fields, one for each.
    ///   - url: Where it came from.
    ///   - now: The time on the wall; the machine's unless told otherwise.
    /// - Returns: What became of each of them.
    @discardableResult
    public func store(_ fields: [String], from url: URL, at now: Date = Date()) -> [CookieNote] {
        let notes = keep(fields, from: url, at: now)
        saveQuietly()
        return notes
    }

    /// Puts a cookie into the jar. One of the same name, domain and path is replaced; one that has ended takes it away.
    ///
    /// - Parameters:
    ///   - cookie: The cookie.
    ///   - now: The time on the wall; the machine's unless told otherwise.
    public func insert(_ cookie: Cookie, at now: Date = Date()) {
        state.withLock { state in
            guard let change = try? state.list.store(cookie, isTrusted: true, at: now, limits: limits) else { return }
            note(change, of: cookie, in: &state)
        }
        saveQuietly()
    }

    /// Removes the cookies that a closure picks: those of a domain, say.
    ///
    /// - Returns: The cookies that were removed.
    @discardableResult
    public func removeAll(where isRemoved: (Cookie) -> Bool) -> [Cookie] {
        let removed = state.withLock { state in
            let removed = state.list.removeAll(where: isRemoved)
            if removed.contains(where: isWritten) { state.changes += 1 }
            return removed
        }
        saveQuietly()
        return removed
    }

    /// Removes all cookies.
    public func removeAll() {
        removeAll { _ in true }
    }

    /// Removes a cookie.
    public func remove(_ cookie: Cookie) {
        removeAll { $0.isReplaced(by: cookie) }
    }

    /// Stores the cookies of a response without writing the file.
    func keep(_ fields: [String], from url: URL, at now: Date) -> [CookieNote] {
        guard let location = CookieLocation(url) else { return [] }
        return state.withLock { state in
            fields.map { field in
                switch CookieDecision(on: field, from: location, at: now, largest: limits.size) {
                case .refuse(let name, let refusal):
                    return .refused(name: name, host: location.host, refusal)
                case .store(let cookie):
                    return keep(cookie, from: location, at: now, in: &state)
                }
            }
        }
    }

    private func keep(_ cookie: Cookie, from location: CookieLocation, at now: Date, in state: inout State)
        -> CookieNote
    {
        do {
            let change = try state.list.store(cookie, isTrusted: location.isSecure, at: now, limits: limits)
            note(change, of: cookie, in: &state)
            return change.isStored
                ? .stored(name: cookie.name, host: location.host) : .removed(name: cookie.name, host: location.host)
        } catch {
            return .refused(name: cookie.name, host: location.host, error)
        }
    }

    // MARK: The file

    /// Writes what is not written yet. Needed only to learn whether that works: each change is written as it is made, and
    /// one that could not be is written with the next.
    ///
    /// - Throws: `NetworkError` `file-failed` if the file cannot be written.
    public func save() throws(NetworkError) {
        try write { $0.changes != $0.savedChanges }
    }

    /// Writes changes that nobody has tried to write, unless somebody is writing, who will see them.
    func saveChanges() throws(NetworkError) {
        guard state.withLock({ $0.changes != $0.triedChanges && !$0.isWriting }) else { return }
        try write { $0.changes != $0.triedChanges }
    }

    private func saveQuietly() {
        try? saveChanges()  // Who wants to know calls `save()`.
    }

    /// Writes the file until nothing is left to write.
    private func write(while isNeeded: (State) -> Bool) throws(NetworkError) {
        guard let file else { return }
        let result = turn.withLock { _ -> Result<Void, NetworkError> in
            while let (cookies, changes) = begin(if: isNeeded) {
                do throws(NetworkError) { try file.write(cookies.filter(isWritten)) } catch {
                    state.withLock { $0.isWriting = false }
                    return .failure(error)
                }
                state.withLock { $0.savedChanges = changes }
            }
            return .success(())
        }
        try result.get()
    }

    /// What is to be written now; `nil` if nothing is.
    private func begin(if isNeeded: (State) -> Bool) -> (cookies: [Cookie], changes: Int)? {
        state.withLock { state in
            state.isWriting = isNeeded(state)
            guard state.isWriting else { return nil }
            state.triedChanges = state.changes
            return (state.list.all, state.changes)
        }
    }

    private func note(_ change: CookieList.Change, of cookie: Cookie, in state: inout State) {
        guard change.isStored && isWritten(cookie) || change.removed.contains(where: isWritten) else { return }
        state.changes += 1
    }

    private func isWritten(_ cookie: Cookie) -> Bool {
        guard let file else { return false }
        return file.keepsSessionCookies || !cookie.isSessionCookie
    }
}

extension CookieJar: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How many cookies there are.
    public var description: String { "CookieJar with \(state.withLock { $0.list.all.count }) cookies" }

    public var debugDescription: String { description }

    public var customMirror: Mirror {
        Mirror(self, children: ["description": description], displayStyle: .class)
    }
}
