/// How the time of a turn becomes a figure.
enum Measure {
    /// Requests in a second.
    case rate
    /// Bytes in a second.
    case speed
    /// The time that one request takes.
    case timePerRequest

    var unit: String {
        switch self {
        case .rate: "requests/s"
        case .speed: "MB/s"
        case .timePerRequest: "µs"
        }
    }

    /// How a comparison is called. A ratio is better if it is higher, a time if it is lower.
    var comparison: String {
        switch self {
        case .rate, .speed: "ratio"
        case .timePerRequest: "time"
        }
    }

    /// The figure.
    ///
    /// - Parameters:
    ///   - amount: How many requests or bytes there were.
    ///   - time: How long all of them took.
    func value(of amount: Double, in time: Duration) -> Double {
        switch self {
        case .rate: amount / time.inSeconds
        case .speed: amount / time.inSeconds / 1e6
        case .timePerRequest: time.inSeconds / amount * 1e6
        }
    }
}
