import Foundation
import Pipeline

extension Options {
    /// The request.
    ///
    /// A body that is printed is taken whatever the status, so that the server's explanation of an error is printed too. A
    /// file is replaced by an acceptable body only: a download must not be lost to an error page.
    ///
    /// - Parameter delivery: What becomes of the body: it goes to a file, or is printed while it arrives.
    func request(_ delivery: BodyDelivery) -> NetworkRequest {
        var request = NetworkRequest(
            method: method,
            url: url.appending(query: query),
            headers: headers,
            body: body.body,
            delivery: delivery
        )
        if body.isJSON, !headers.contains(.accept) { request.headers[.accept] = "application/json" }
        request.acceptableStatuses = delivery == .stream && result.download == nil ? .all : result.accepted
        request.redirectPolicy = redirects
        request.timeLimits = timeLimits
        request.maximumResponseSize = result.bodyLimit
        actions.configure(&request)
        return request
    }

    /// Whether status line and header fields go out before the body. A HEAD request has nothing else to show.
    var showsHead: Bool { result.showsHead || method == .head }

    /// The limits of the framework, where the command line gives no others.
    ///
    /// A longer limit for an attempt lengthens those that would strike before it.
    private var timeLimits: TimeLimits {
        let standard = TimeLimits.standard
        return TimeLimits(
            idle: timeout.map { max($0, standard.idle ?? $0) },
            attempt: timeout,
            total: deadline ?? timeout.map { max($0, standard.total ?? $0) }
        )
    }
}
