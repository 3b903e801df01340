#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How many descriptors the process may have open.
enum LoopbackDescriptorLimit {
    /// Enough for some thousand connections, and no more than macOS grants.
    private static let wanted: rlim_t = 10_240

    /// Raises the limit once, as far as the system lets every process do it.
    ///
    /// Many systems start processes with 1,024. Both ends of a loopback connection are in this process, and tests run side by
    /// side, so that would soon be too few.
    static let raised: Void = {
        #if canImport(Glibc)
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let kind = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(kind, &limit) == 0, limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        _ = setrlimit(kind, &limit)
    }()
}
