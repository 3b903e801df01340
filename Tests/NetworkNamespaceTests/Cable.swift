#if canImport(Glibc)
    import Foundation
    import Pipeline
    import Testing

    /// The cable between the namespace that the test runs in and another, which `Scripts/network-namespace` has laid.
    struct Cable {
        /// The namespace at the other end; without it the tests are disabled.
        static let otherEnd = ProcessInfo.processInfo.environment["PIPELINE_NETWORK_NAMESPACE"]

        /// A host behind the other end, where a server listens.
        static let distant = "http://203.0.113.7:8000/greeting"
        /// The other end itself.
        static let neighbour = "http://192.0.2.2:8000/greeting"

        let otherEnd: String

        /// Plugs the cable in, with an address and a default route.
        init() throws {
            otherEnd = try #require(Self.otherEnd)
            try pull()
            try plugIn()
        }

        func plugIn() throws {
            try ip("-n", otherEnd, "link", "set", "cable", "up")
            try ip("link", "set", "cable", "up")
            try ip("address", "replace", "192.0.2.1/24", "dev", "cable")
            try ip("route", "replace", "default", "via", "192.0.2.2")
        }

        /// Takes the interface down; its routes go with it.
        func pull() throws {
            try ip("link", "set", "cable", "down")
        }

        /// Runs `ip`, in this namespace unless the arguments name another.
        func ip(_ arguments: String...) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["ip"] + arguments
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0, "ip \(arguments.joined(separator: " "))")
        }
    }

    /// All tests change one cable, so they take turns.
    @Suite(.serialized, .timeLimit(.minutes(3)), .enabled(if: Cable.otherEnd != nil))
    struct NetworkNamespaceSuite {}

    extension NetworkMonitor {
        /// Waits for a path with a status, and tells how long that took.
        func time(until status: NetworkPath.Status) async -> Duration {
            let clock = ContinuousClock()
            let start = clock.now
            for await path in paths where path.status == status { break }
            return clock.now - start
        }
    }
#endif
