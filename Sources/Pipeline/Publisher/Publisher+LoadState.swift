#if canImport(Combine)
    public import Combine

    extension Publisher where Output: Sendable {
        /// The states of what a publisher of values does: loading at once, loaded with each value, failed with its error.
        ///
        /// An error of another kind than ``NetworkError`` becomes one with the code `action-failed` and that as its cause.
        public func mapToLoadState() -> AnyPublisher<LoadState<Output>, Never> {
            map { LoadState.loaded($0) }
                .catch { error in
                    Just(
                        LoadState<Output>.failed(
                            error as? NetworkError
                                ?? NetworkError(.actionFailed, "the publisher failed", underlying: error)
                        )
                    )
                }
                .prepend(.loading(nil))
                .eraseToAnyPublisher()
        }
    }
#endif
