import Pipeline

/// One run of a case, which ends when the case does or when patience does.
struct ConformanceTrial: Sendable {
    let rule: String

    /// Runs a case.
    ///
    /// The case has a task of its own. One that does not end is left behind, cancelled, since nothing can make it end.
    func run(patience: Duration, _ check: @escaping @Sendable () async throws -> Void) async throws {
        let verdict = OneShot<Result<Void, any Error>>()
        let rule = rule
        let task = Task {
            do {
                try await check()
                verdict.resolve(.success(()))
            } catch let failure as ConformanceFailure {
                verdict.resolve(.failure(failure))
            } catch let error as LoopbackError {
                verdict.resolve(.failure(error))
            } catch {
                let seen = "the error \(error)"
                verdict.resolve(.failure(ConformanceFailure(rule: rule, expected: "no error", seen: seen)))
            }
        }
        let limit = SystemTime.shared.startLimit(of: patience) {
            let failure = ConformanceFailure(rule: rule, expected: "an end", seen: "none within \(patience)")
            verdict.resolve(.failure(failure))
        }
        defer {
            limit?.lift()
            task.cancel()
        }
        try await withTaskCancellationHandler {
            try await verdict.value().get()
        } onCancel: {
            verdict.resolve(.failure(CancellationError()))
        }
    }
}
