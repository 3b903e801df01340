import Pipeline

/// What `--metrics` writes: times, sizes and facts of the last attempt, each on a line of its own. What was not measured has
/// no line.
struct MetricsReport: CustomStringConvertible {
    let metrics: AttemptMetrics
    let version: HTTPVersion?

    init(metrics: AttemptMetrics, version: HTTPVersion?) {
        self.metrics = metrics
        self.version = version
    }

    /// The report of a response whose body was read. Where it was not read to its end, the figures are those of its head.
    init(of response: NetworkResponse) {
        let final = response.body.stream?.epilogue?.metrics
        self.init(metrics: final ?? response.metrics ?? AttemptMetrics(), version: response.version)
    }

    var description: String {
        let connection = metrics.isReusedConnection.map { $0 ? "reused" : "new" }
        let tls = [metrics.tlsVersion, metrics.tlsCipher].compactMap { $0 }.joined(separator: " ")
        let figures: [(String, String?)] = [
            ("queue", Self.time(metrics.queued)),
            ("lookup", Self.time(metrics.nameLookup)),
            ("connect", Self.time(metrics.connected)),
            ("TLS", Self.time(metrics.secured)),
            ("first byte", Self.time(metrics.firstByte)),
            ("total", Self.time(metrics.total)),
            ("sent", Self.size(metrics.bytesSent)),
            ("received", Self.size(metrics.bytesReceived)),
            ("connection", connection),
            ("protocol", version?.rawValue),
            ("address", metrics.remoteAddress),
            ("security", tls.isEmpty ? nil : tls),
        ]
        return figures.map { name, value in value.map { "* \(name): \($0)\n" } ?? "" }.joined()
    }

    /// Milliseconds with one digit, since the start of the attempt.
    private static func time(_ time: Duration?) -> String? {
        time.map { "\((($0 / .milliseconds(1)) * 10).rounded() / 10) ms" }
    }

    private static func size(_ size: Int?) -> String? { size.map { "\($0) bytes" } }
}
