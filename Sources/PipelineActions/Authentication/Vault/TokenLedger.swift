/// The books on all tokens: which one is current for each scope, and which number it has. Plain bookkeeping, without store,
/// clock or lock.
///
/// Two numbers are kept for each scope. The *generation* rises with every token that takes another's place: an answer that a
/// former one earned says nothing about the current one. The *epoch* rises when the application sets or removes a token, for
/// it may be another user's now: what began before has nothing to do with it any more.
struct TokenLedger: Sendable {
    /// What is known about the token of a scope.
    enum Standing: Sendable {
        /// The store has not been asked yet.
        case unread
        /// There is none.
        case absent
        /// There is one.
        case present(AccessToken)
        /// The server refused to renew it; why. It is gone.
        case rejected(any Error)
    }

    /// A moment in the life of a scope: nothing has changed if its mark is still the same.
    struct Mark: Sendable, Hashable {
        var epoch: Int
        var generation: Int
    }

    struct Entry: Sendable {
        var standing: Standing
        var mark: Mark

        var token: AccessToken? {
            if case .present(let token) = standing { token } else { nil }
        }
    }

    private var entries: [TokenScope: Entry] = [:]
    /// What is known about scopes that have no entry.
    private var others = Entry(standing: .unread, mark: Mark(epoch: 0, generation: 0))
    private var lastNumber = 0

    subscript(scope: TokenScope) -> Entry { entries[scope] ?? others }

    /// The current token, for a request to carry.
    func lease(for scope: TokenScope) -> TokenLease? {
        let entry = self[scope]
        return entry.token.map { TokenLease(scope: scope, token: $0, mark: entry.mark) }
    }

    private mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// What the store said. It counts only if nothing has happened since it was asked.
    mutating func read(_ token: AccessToken?, for scope: TokenScope, since mark: Mark) {
        guard case .unread = self[scope].standing, self[scope].mark == mark else { return }
        // A token that was there all the time begins no epoch.
        let number = nextNumber()
        entries[scope] = Entry(
            standing: token.map(Standing.present) ?? .absent,
            mark: Mark(epoch: mark.epoch, generation: number)
        )
    }

    /// The application set or removed a token.
    mutating func replace(_ token: AccessToken?, for scope: TokenScope) {
        let number = nextNumber()
        entries[scope] = Entry(
            standing: token.map(Standing.present) ?? .absent,
            mark: Mark(epoch: number, generation: number)
        )
    }

    /// The application removed all tokens.
    mutating func removeAll() {
        let number = nextNumber()
        entries = [:]
        // What the store still holds, if it fails to remove it, is not asked for again.
        others = Entry(standing: .absent, mark: Mark(epoch: number, generation: number))
    }

    /// A newer token of the same user.
    mutating func renew(_ token: AccessToken, for scope: TokenScope) {
        let number = nextNumber()
        entries[scope] = Entry(
            standing: .present(token),
            mark: Mark(epoch: self[scope].mark.epoch, generation: number)
        )
    }

    /// A refresh brought a token. It counts only if the one it stems from is still current.
    ///
    /// - Returns: Whether it counts.
    mutating func refreshed(_ token: AccessToken, for scope: TokenScope, since mark: Mark) -> Bool {
        guard self[scope].mark == mark else { return false }
        renew(token, for: scope)
        return true
    }

    /// The server refused to renew the token. It counts only if that one is still current.
    ///
    /// The generation stays: answers that the token earned come in late, and must find out what became of it.
    ///
    /// - Returns: Whether it counts.
    mutating func rejected(_ error: any Error, for scope: TokenScope, since mark: Mark) -> Bool {
        guard self[scope].mark == mark else { return false }
        entries[scope] = Entry(standing: .rejected(error), mark: mark)
        return true
    }
}

/// A token that a request carries, with its number.
struct TokenLease: Sendable, Hashable {
    let scope: TokenScope
    let token: AccessToken
    let mark: TokenLedger.Mark
}
