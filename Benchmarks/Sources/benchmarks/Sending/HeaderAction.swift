import Pipeline

/// Sets a header field that no other action sets.
struct HeaderAction: RequestWillBeginAction {
    private let name: HTTPFieldName

    /// - Parameter number: Tells the field from those of other actions.
    init(_ number: Int) {
        name = HTTPFieldName("X-Benchmark-\(number)")
    }

    func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        var request = request
        request.headers[name] = "benchmark"
        return .proceed(request)
    }
}
