/// Where a ``NetworkMonitor`` hears of the network.
///
/// The system's own is used unless a monitor is given another. Tests use the `ManualPathSource` of `PipelineTesting`; write
/// one to report what only your program knows, a switch in its settings for one.
public protocol NetworkPathSource: Sendable {
    /// Begins to report.
    ///
    /// It is called once. A source that knows the present path at once reports it before it returns.
    ///
    /// - Parameter report: Takes each path, in order, from any thread, one call at a time. It never blocks.
    func start(_ report: @escaping @Sendable (NetworkPath) -> Void)

    /// Stops reporting and lets go of everything. A call of `report` that is under way may still end.
    func stop()
}

/// The source of monitors that are given none.
enum SystemPathSource {
    static func make() -> any NetworkPathSource {
        #if canImport(Network)
            PathMonitorSource()
        #elseif canImport(Glibc)
            NetlinkPathSource()
        #else
            SilentPathSource()
        #endif
    }
}

#if !canImport(Network) && !canImport(Glibc)
    /// On systems whose network nobody here can read.
    struct SilentPathSource: NetworkPathSource {
        func start(_ report: @escaping @Sendable (NetworkPath) -> Void) {
            report(NetworkPath(.unknown, obstacle: "this system is not read"))
        }

        func stop() {}
    }
#endif
