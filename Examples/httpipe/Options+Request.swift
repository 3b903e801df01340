import Foundation
import Pipeline

extension Options {
    /// The request.
    ///
    /// A body that is printed is taken whatever the status, so that the server's explanation of an error is printed too. A
    /// file is replaced by an acceptable body only: a download must not be lost to an error page.
    ///
    /// - Parameter file: The file for the body; `nil` if it is to be printed while it arrives.
    func request(into file: URL?) -> NetworkRequest {
        var request = NetworkRequest(
            method: method,
            url: url,
            headers: headers,
            body: payload?.body ?? .none,
            delivery: file.map { .file($0) } ?? .stream
        )
        if payload?.contentType == .json, !headers.contains(.accept) { request.headers[.accept] = "application/json" }
        request.acceptableStatuses = file == nil ? .all : accepted
        request.redirectPolicy = redirects
        request.timeLimits = timeLimits
        request.maximumResponseSize = bodyLimit
        actions.configure(&request)
        return request
    }

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
