import Foundation
import Pipeline
import Testing

/// What callers are told, out of the events of a send.
struct TransferMeterTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let events: [(Int, SendEvent.Kind)]
        let told: [String]

        init(_ name: String, _ events: [(Int, SendEvent.Kind)], told: [String]) {
            testDescription = name
            self.events = events
            self.told = told
        }
    }

    static let cases: [Case] = [
        Case(
            "an upload, then a download",
            [
                (0, .begin), (10, .sent(100, of: 300)), (200, .sent(300, of: 300)), (300, .head(200)),
                (310, .received(50, of: 100, sent: 300, of: 300)), (500, .received(100, of: 100, sent: 300, of: 300)),
                (500, .end),
            ],
            told: ["10 up 100/300", "200 up 300/300", "310 down 50/100", "500 down 100/100"]
        ),
        Case(
            "a tenth of a second apart, and the last always",
            [
                (0, .begin), (0, .sent(1, of: 9)), (50, .sent(2, of: 9)), (99, .sent(3, of: 9)),
                (100, .sent(4, of: 9)), (199, .sent(5, of: 9)), (210, .sent(6, of: 9)), (220, .sent(7, of: 9)),
                (230, .end),
            ],
            told: ["0 up 1/9", "100 up 4/9", "210 up 6/9", "230 up 7/9"]
        ),
        Case(
            "a whole body at once",
            [(0, .begin), (0, .sent(1, of: 9)), (10, .sent(9, of: 9)), (20, .head(200)), (20, .end)],
            told: ["0 up 1/9", "10 up 9/9"]
        ),
        Case(
            "what was sent when the head is in, however soon",
            [(0, .begin), (0, .sent(1, of: nil)), (10, .sent(5, of: nil)), (20, .head(200)), (30, .end)],
            told: ["0 up 1/?", "20 up 5/?"]
        ),
        Case(
            "nothing of a retry until it has caught up",
            [
                (0, .begin), (0, .sent(100, of: 300)), (200, .sent(200, of: 300)), (300, .end),
                (900, .begin), (1000, .sent(50, of: 300)), (1200, .sent(150, of: 300)), (1400, .sent(200, of: 300)),
                (1600, .sent(250, of: 300)), (1800, .sent(300, of: 300)), (1900, .end),
            ],
            told: ["0 up 100/300", "200 up 200/300", "1600 up 250/300", "1800 up 300/300"]
        ),
        Case(
            "what moved last before a failure",
            [(0, .begin), (0, .received(10, of: 90)), (0, .head(200)), (20, .received(30, of: 90)), (30, .end)],
            told: ["0 down 10/90", "30 down 30/90"]
        ),
        Case(
            "a body that came before its head was told",
            [(0, .begin), (10, .received(90, of: 90)), (20, .head(200)), (20, .end)],
            told: ["20 down 90/90"]
        ),
        Case(
            "no body of an error, nor of a redirect",
            [
                (0, .begin), (10, .received(500, of: 500)), (20, .head(503)), (20, .end),
                (100, .begin), (110, .head(302)), (110, .received(60, of: 60)), (120, .end),
                (200, .begin), (210, .head(200)), (210, .received(20, of: 80)), (400, .received(80, of: 80)),
                (400, .end),
            ],
            told: ["210 down 20/80", "400 down 80/80"]
        ),
        Case(
            "a total only where it is known, and no longer than it holds",
            [
                (0, .begin), (0, .head(200)), (0, .received(10, of: nil)), (200, .received(20, of: 50)),
                (400, .received(60, of: 50)), (500, .received(70, of: 50)), (500, .end),
            ],
            told: ["0 down 10/?", "200 down 20/50", "400 down 60/?", "500 down 70/?"]
        ),
        Case(
            "a total stays when another attempt does not know it",
            [
                (0, .begin), (0, .head(200)), (0, .received(10, of: 50)), (100, .end),
                (200, .begin), (200, .head(200)), (300, .received(20, of: nil)), (400, .end),
            ],
            told: ["0 down 10/50", "300 down 20/50"]
        ),
        Case(
            "another total when another attempt says so",
            [
                (0, .begin), (0, .head(200)), (0, .received(10, of: 50)), (100, .end),
                (200, .begin), (200, .head(200)), (300, .received(20, of: 80)), (400, .end),
            ],
            told: ["0 down 10/50", "300 down 20/80"]
        ),
        Case(
            "a download that goes on, told within its attempt",
            [
                (0, .begin), (10, .head(206)), (20, .resumed(at: 1000, of: 3000)), (150, .received(500, of: 2000)),
                (300, .received(2000, of: 2000)), (300, .end),
            ],
            told: ["20 down 1000/3000", "150 down 1500/3000", "300 down 3000/3000"]
        ),
        Case(
            "a download that goes on, told before its attempt",
            [
                (0, .begin), (0, .head(200)), (10, .received(900, of: 3000)), (20, .received(1000, of: 3000)),
                (30, .end),
                (40, .resumed(at: 1000, of: nil)), (50, .begin), (60, .head(206)), (200, .received(500, of: 2000)),
                (210, .end), (300, .begin), (310, .head(200)), (400, .received(1400, of: 3000)),
                (600, .received(3000, of: 3000)), (610, .end),
            ],
            told: ["10 down 900/3000", "30 down 1000/3000", "200 down 1500/3000", "600 down 3000/3000"]
        ),
        Case(
            "nothing without bytes",
            [(0, .begin), (10, .head(200)), (10, .sent(0, of: 0)), (10, .end)],
            told: []
        ),
    ]

    @Test(arguments: cases)
    func `tells`(_ sample: Case) {
        var meter = TransferMeter()
        var told: [String] = []
        for (time, event) in sample.events {
            told += meter.take(event, at: .milliseconds(time)).map { "\(time) \($0.line)" }
        }
        #expect(told == sample.told)
    }

    @Test func `a length with which no file can go on from its place is no total`() {
        var meter = TransferMeter()
        var told: [String] = []
        for (time, event): (Int, SendEvent.Kind) in [
            (0, .begin), (10, .head(206)), (20, .resumed(at: 4, of: nil)), (150, .received(2, of: .max)), (300, .end),
        ] {
            told += meter.take(event, at: .milliseconds(time)).map { "\(time) \($0.line)" }
        }
        #expect(told == ["20 down 4/?", "150 down 6/?"])
    }

    /// The transport can be quicker than the download, which says where it goes on before it takes the first byte.
    @Test func `a download that goes on tells nothing before its place is known`() throws {
        let folder = FileManager.default.temporaryDirectory
        let request = try Download(NetworkRequest(url: api), to: folder).buildRequest(with: api)
        let head = SendEvent.Kind.responseBegan(NetworkResponse(status: 206, request: request))
        var meter = TransferMeter()
        var told: [String] = []
        for (time, event): (Int, SendEvent.Kind) in [
            (0, .begin), (10, .received(40, of: 2000)), (20, head), (30, .received(100, of: 2000)),
            (40, .resumed(at: 1000, of: 3000)), (200, .received(2000, of: 2000)), (210, .end),
            // An answer that does not fit is not taken, and its place is never told.
            (300, .begin), (310, head), (320, .received(5000, of: 6000)), (500, .end),
        ] {
            told += meter.take(event, at: .milliseconds(time)).map { "\(time) \($0.line)" }
        }
        #expect(told == ["40 down 1100/3000", "200 down 3000/3000"])
    }

    @Test func `the rate counts what moved, also what is sent again`() throws {
        var meter = TransferMeter()
        var told: [TransferProgress] = []
        for (time, event): (Int, SendEvent.Kind) in [
            (0, .begin), (0, .sent(1000, of: 9000)), (1000, .sent(3000, of: 9000)), (1000, .end),
            (1000, .begin), (2000, .sent(2500, of: 9000)), (3000, .sent(5000, of: 9000)), (3000, .end),
        ] {
            told += meter.take(event, at: .milliseconds(time))
        }
        #expect(told.map(\.rate) == [nil, 2000, 7000 / 3])
        let last = try #require(told.last)
        #expect(last.fraction == 5.0 / 9)
        #expect(last.timeLeft == .seconds(4000 / (7000.0 / 3)))
    }
}

/// How fast bytes move.
struct TransferRateTests {
    @Test(
        arguments: [
            ([(0, 100)], nil),
            ([(0, 100), (499, 100)], nil),
            ([(0, 100), (500, 100)], 200),
            ([(0, 100), (0, 300), (1000, 100)], 100),
            // Four seconds back and no further.
            ([(0, 1), (1000, 9000), (2000, 100), (5000, 300)], 100),
            ([(0, 0), (10_000, 400)], 40),
            // What comes in quick succession is not forgotten.
            ([(0, 0), (10, 100), (20, 100), (30, 100), (1000, 100)], 400),
        ] as [([(Int, Int)], Double?)]
    )
    func `is that of the last seconds`(moves: [(Int, Int)], rate: Double?) {
        var measured = TransferRate()
        for (time, bytes) in moves { measured.move(bytes, at: .milliseconds(time)) }
        #expect(measured.bytesPerSecond == rate)
    }
}

extension TransferProgress {
    fileprivate var line: String {
        "\(direction == .upload ? "up" : "down") \(completed)/\(total.map { String($0) } ?? "?")"
    }
}

extension SendEvent.Kind {
    fileprivate static var begin: Self { .attemptBegan(1, NetworkRequest(url: api)) }

    fileprivate static var end: Self { .attemptEnded(1, .failure(NetworkError(.connectionLost))) }

    fileprivate static func head(_ status: HTTPStatus) -> Self {
        .responseBegan(NetworkResponse(status: status, request: NetworkRequest(url: api)))
    }

    fileprivate static func sent(_ bytes: Int, of total: Int?) -> Self {
        .progress(AttemptProgress(bytesSent: bytes, bytesToSend: total, bytesReceived: 0))
    }

    fileprivate static func received(_ bytes: Int, of total: Int?, sent: Int = 0, of all: Int? = 0) -> Self {
        .progress(
            AttemptProgress(bytesSent: sent, bytesToSend: all, bytesReceived: bytes, bytesToReceive: total)
        )
    }
}
