/// Calls a store one call at a time, in the order in which the calls were asked for. What is asked for is done, whoever is
/// cancelled meanwhile.
final class TokenStoreQueue: Sendable {
    private let store: any TokenStore
    private let last = Guarded<Task<Void, Never>?>(nil)

    init(_ store: any TokenStore) {
        self.store = store
    }

    /// Takes a place in the line at once; the call itself follows.
    func enqueue<Result: Sendable>(
        _ call: @escaping @Sendable (any TokenStore) async throws -> Result
    ) -> Task<Result, any Error> {
        last.withLock { last in
            let task = Task { [store, last] in
                await last?.value
                return try await call(store)
            }
            last = Task { _ = await task.result }
            return task
        }
    }
}
