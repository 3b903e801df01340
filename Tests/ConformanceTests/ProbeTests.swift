import Foundation
import Pipeline
import PipelineTesting
import Testing

@Test func `probe one`() async throws {
    let wanted = ProcessInfo.processInfo.environment["PROBE"] ?? ""
    if wanted == "LIST" { for c in TransportConformance.cases { print("CASE \(c.name)") } }
    for c in TransportConformance.cases where c.name == wanted {
        let clock = ContinuousClock()
        let start = clock.now
        do { try await c.run(patience: .seconds(8)) { URLSessionTransport() }; print("RESULT ok \(clock.now - start) \(c.name)") } catch { print("RESULT FAIL \(clock.now - start) \(error)") }
    }
}
