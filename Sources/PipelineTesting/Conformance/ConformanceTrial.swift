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
        // In small pieces, after each of which this task stands in line as the case does. Where a thousand tests share two
        // threads the pieces take longer, and the case is not taken for hung because nobody let it run.
        let watch = Task {
            let pieces = 100
            for _ in 0..<pieces { try await Task.sleep(for: patience / pieces) }
            let failure = ConformanceFailure(rule: rule, expected: "an end", seen: "none within \(patience)")
            verdict.resolve(.failure(failure))
        }
        defer {
            watch.cancel()
            task.cancel()
        }
        try await withTaskCancellationHandler {
            try await verdict.value().get()
        } onCancel: {
            verdict.resolve(.failure(CancellationError()))
        }
    }
}
