extension Contest {
    /// All contests, with as much work as makes a turn last half a second or a few.
    static let all = [throughput, latency, download, upload, inFlight, pipeline, handshakes]

    private static let throughput = Contest(
        name: "throughput-64",
        measure: .rate,
        rounds: 7,
        heats: [
            Heat(
                .transport,
                .document(count: 20_000, inFlight: 64),
                session: .document(count: 1_500, inFlight: 64)
            )
        ],
        remark: "P1 asks for 0.75 of the C program at least, and for 15 times URLSession"
    )

    private static let latency = Contest(
        name: "latency-1",
        measure: .timePerRequest,
        rounds: 7,
        heats: [
            Heat(
                .transport,
                .document(count: 3_000, inFlight: 1),
                session: .document(count: 1_000, inFlight: 1)
            )
        ],
        remark: "P2 asks for 1.4 times the C program's time at most"
    )

    private static let download = Contest(
        name: "download-1gb",
        measure: .speed,
        rounds: 5,
        heats: [
            Heat(
                .network,
                .download(bytes: gigabyte, toFile: false),
                session: .download(bytes: gigabyte, toFile: false)
            ),
            Heat(prefix: "file-", .network, .download(bytes: gigabyte, toFile: true)),
        ],
        peakBudget: .atMost(40),
        remark: "P3 asks for 0.8 of the C program at least, within 40 MiB"
    )

    private static let upload = Contest(
        name: "upload-1gb",
        measure: .speed,
        rounds: 5,
        heats: [
            Heat(
                .network,
                .upload(bytes: gigabyte),
                session: .upload(bytes: gigabyte / 10)
            )
        ],
        peakBudget: .atMost(40),
        remark: "P3 asks for 0.8 of the C program at least, within 40 MiB; URLSession sends 100 MB only"
    )

    private static let inFlight = Contest(
        name: "inflight-10000",
        measure: .rate,
        rounds: 3,
        heats: [
            Heat(
                .network,
                .document(count: 10_000, inFlight: 10_000),
                baseline: .document(count: 10_000, inFlight: 64),
                session: .document(count: 10_000, inFlight: 10_000)
            )
        ],
        peakBudget: .atMost(200),
        remark: "P5 asks for 200 MiB at most, and that all complete; the C program hands libcurl 64 at a time"
    )

    private static let pipeline = Contest(
        name: "pipeline-64",
        measure: .rate,
        rounds: 7,
        heats: [
            Heat(
                .pipeline,
                .document(count: 20_000, inFlight: 64),
                session: .document(count: 1_500, inFlight: 64)
            )
        ],
        remark: "P1 asks for 0.6 of the C program at least; neither it nor URLSession decodes"
    )

    private static let handshakes = Contest(
        name: "tls-handshakes",
        measure: .rate,
        rounds: 5,
        heats: [
            Heat(
                .transport,
                .handshake(count: 1_000, inFlight: 64)
            )
        ],
        remark: "a full handshake for each request; URLSession on Linux cannot be told to trust a certificate"
    )

    private static let gigabyte = 1_000_000_000
}
