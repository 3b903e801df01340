package import Pipeline

extension OneShot<Void> {
    /// Waits until it is resolved or the task is cancelled, so that a test's time limit can end the wait.
    package func valueOrCancellation() async {
        await withTaskCancellationHandler {
            await value()
        } onCancel: {
            resolve(())
        }
    }
}
