/// What was taken out of a budget for one retry.
///
/// A retry can be paid for and never be sent: the send is cancelled during the pause, or the engine refuses it. Then it has
/// burdened nobody, and what it cost goes back when the send is forgotten.
final class RetryPayment: Sendable {
    private enum State: Sendable {
        case reserved
        case spent
        case givenBack
    }

    private let budget: RetryBudget
    private let cost: Int
    private let state = Guarded(State.reserved)

    fileprivate init(_ cost: Int, outOf budget: RetryBudget) {
        self.cost = cost
        self.budget = budget
    }

    deinit {
        if state.withLock({ $0 == .reserved }) { giveBack() }
    }

    /// The retry is sent.
    func spend() {
        state.withLock { if $0 == .reserved { $0 = .spent } }
    }

    /// The send has succeeded. Only the first call counts.
    func giveBack() {
        let isFirst = state.withLock { state in
            defer { state = .givenBack }
            return state != .givenBack
        }
        if isFirst { budget.giveBack(cost) }
    }
}

extension RetryBudget {
    /// Pays for a retry.
    ///
    /// - Returns: `nil` if there are too few tokens.
    func pay(_ cost: Int) -> RetryPayment? {
        take(cost) ? RetryPayment(cost, outOf: self) : nil
    }
}
