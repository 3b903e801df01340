#if canImport(Glibc)
    import Foundation
    import Pipeline
    import Testing

    extension NetworkNamespaceSuite {
        /// What the monitor hears of a real kernel. A second is what users are promised.
        struct MonitorTests {
            let cable: Cable
            let monitor = NetworkMonitor()

            init() throws { cable = try Cable() }

            /// What takes the way out away, and what brings it back.
            enum Loss: CaseIterable {
                case link
                case carrier
                case route
                case address
                case device

                func begin(_ cable: Cable) throws {
                    switch self {
                    case .link: try cable.pull()
                    case .carrier: try cable.ip("-n", cable.otherEnd, "link", "set", "cable", "down")
                    case .route: try cable.ip("route", "delete", "default")
                    case .address: try cable.ip("address", "flush", "dev", "cable")
                    case .device: try cable.ip("link", "set", "cable", "netns", cable.otherEnd, "name", "lent")
                    }
                }

                func end(_ cable: Cable) throws {
                    if self == .device {
                        let own = String(ProcessInfo.processInfo.processIdentifier)
                        try cable.ip("-n", cable.otherEnd, "link", "set", "lent", "netns", own, "name", "cable")
                    }
                    try cable.plugIn()
                }
            }

            @Test(arguments: Loss.allCases)
            func `reports within a second that the way out is gone, and that it is back`(loss: Loss) async throws {
                #expect(monitor.currentPath.status == .satisfied)

                try loss.begin(cable)
                #expect(await monitor.time(until: .unsatisfied) < .seconds(1))

                try loss.end(cable)
                #expect(await monitor.time(until: .satisfied) < .seconds(1))
            }

            @Test func `knows the first path at once, and the interface as a wired one`() throws {
                #expect(monitor.currentPath.interfaces == [NetworkInterface(name: "cable", kind: .wired)])
                #expect(monitor.currentPath.isSatisfied)

                try cable.pull()
                let path = NetworkMonitor().currentPath
                #expect(path.status == .unsatisfied)
                #expect(path.interfaces.isEmpty)
            }

            @Test func `keeps up with thousands of changes`() async throws {
                _ = monitor.currentPath
                let batch = FileManager.default.temporaryDirectory.appending(path: "pipeline-\(UUID().uuidString)")
                defer { try? FileManager.default.removeItem(at: batch) }
                let lines = (0..<5_000).map { "route add 198.51.\($0 / 250).\($0 % 250)/32 dev cable" }
                try (lines + ["route delete default"]).joined(separator: "\n")
                    .write(to: batch, atomically: true, encoding: .utf8)
                try cable.ip("-batch", batch.path)

                #expect(await monitor.time(until: .unsatisfied) < .seconds(1))
            }
        }
    }
#endif
