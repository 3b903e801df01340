import Pipeline
import Testing

struct TransferProgressTests {
    private static let cases: [(TransferProgress, Double?, Duration?)] = [
        (TransferProgress(.download, completed: 25, total: 100, rate: 5), 0.25, .seconds(15)),
        (TransferProgress(.download, completed: 25, total: 100), 0.25, nil),
        (TransferProgress(.download, completed: 25, rate: 5), nil, nil),
        (TransferProgress(.upload, completed: 0, total: 0, rate: 5), 1, .zero),
        (TransferProgress(.upload, completed: 0, total: 100, rate: 0), 0, nil),
        (TransferProgress(.upload, completed: 120, total: 100, rate: 5), 1, .zero),
    ]

    @Test(arguments: cases)
    func `tells how much is over and how long the rest takes`(
        progress: TransferProgress,
        fraction: Double?,
        timeLeft: Duration?
    ) {
        #expect(progress.fraction == fraction)
        #expect(progress.timeLeft == timeLeft)
    }

    @Test func `is a line with what is known`() {
        let none = TransferProgress(.download, completed: 1000)
        let all = TransferProgress(.download, completed: 1000, total: 5000, rate: 500)

        #expect(all.description.hasPrefix("\(none) of "))
        #expect(all.description.contains("/s, "))
        #expect(all.description.hasSuffix(" left"))
    }

    @Test(arguments: [1e-300, .infinity, .greatestFiniteMagnitude])
    func `bears any rate with any total`(rate: Double) {
        let progress = TransferProgress(.download, completed: 0, total: .max, rate: rate)

        #expect(!progress.description.isEmpty)
    }
}
