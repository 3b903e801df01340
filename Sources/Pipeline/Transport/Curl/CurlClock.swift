#if canImport(Glibc)
    import Foundation

    /// The time the loop goes by: nanoseconds on the machine's monotonic clock.
    enum CurlClock {
        static var now: UInt64 {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        }
    }

    extension Duration {
        /// The duration for the loop's clock: never negative, and never so long that adding it would overflow.
        var inNanoseconds: UInt64 {
            let (seconds, attoseconds) = components
            guard seconds < 1 << 32 else { return 1 << 62 }
            return UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(max(0, attoseconds) / 1_000_000_000)
        }
    }
#endif
