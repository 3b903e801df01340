import Pipeline
import Testing

@testable import httpipe

struct ProgressBarTests {
    @Test(arguments: [(0, 0), (50, 0.5), (100, 1.0)])
    func `fills the room beside the text with as much as is over`(completed: Int, fraction: Double) throws {
        let progress = TransferProgress(.download, completed: completed, total: 100)
        let line = ProgressBar.line(for: progress, columns: 79)
        let bar = try #require(line.split(separator: "]").first).dropFirst()

        #expect(line.count == 79)
        #expect(line.hasSuffix("] ↓ \(progress)"))
        #expect(bar.count { $0 == "#" } == Int(Double(bar.count) * fraction))
    }

    @Test(arguments: [
        (TransferProgress(.upload, completed: 5), 79), (TransferProgress(.upload, completed: 5, total: 10), 20),
    ])
    func `is only text without a total or without room`(progress: TransferProgress, columns: Int) {
        #expect(ProgressBar.line(for: progress, columns: columns) == String("↑ \(progress)".prefix(columns)))
    }
}
