/// Asks for the rest of a file instead of the whole, where a part of it is there already.
///
/// It stands further in than all others, so it decides anew for each attempt and each hop.
struct DownloadAction: RequestWillBeginAction, ResponseCompletedAction {
    let download: RunningDownload

    var zone: ActionZone { .hop }

    func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        guard let question = try download.open(for: request.url) else { return .proceed(request) }
        var request = request
        request.headers[.range] = "bytes=\(question.start)-"
        request.headers[.ifRange] = question.validator.fieldValue
        request.acceptableStatuses = (request.acceptableStatuses ?? .success).union([.partialContent])
        return .proceed(request)
    }

    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        guard let reason = download.close(after: outcome) else { return .deliver(try outcome.get()) }
        request.context.report(.note(action: typeName, "the download starts again: \(reason)"))
        return .retry(after: .zero)
    }
}
