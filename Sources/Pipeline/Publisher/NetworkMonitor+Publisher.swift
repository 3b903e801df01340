#if canImport(Combine)
    import Combine
    public import Dispatch

    extension NetworkMonitor {
        /// A publisher of the present path, then of every change; a slow subscriber gets the last one only. It never ends.
        ///
        /// - Parameter queue: Where the paths come; the main queue unless told otherwise.
        public func publisher(on queue: DispatchQueue = .main) -> SendPublisher<NetworkPath, Never> {
            SendPublisher(on: queue, elementsOf: { self.paths })
        }
    }
#endif
