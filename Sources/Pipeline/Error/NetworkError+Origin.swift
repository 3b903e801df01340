import Foundation

extension NetworkError {
    /// The error of a send, made from whatever was thrown in one of its steps.
    ///
    /// An error that already belongs to this send stays what it is. One that belongs to no send yet, as transports and
    /// actions throw them, gets its place filled in. One of another send, a token refresh for one, becomes the cause. If
    /// the send was stopped, that is what happened, whatever was thrown.
    init(
        _ error: any Error,
        in send: RunningSend,
        step: Step,
        request: NetworkRequest,
        response: NetworkResponse? = nil,
        attempts: Int
    ) {
        if let known = error as? NetworkError, known.details.sendID == send.id {
            self = known
            if details.response == nil, let response { details.response = response }
            return
        }
        if let reason = send.stopReason {
            self = reason
        } else if let known = error as? NetworkError, known.details.sendID == nil {
            self = known
        } else if case .action = step {
            self.init(.actionFailed, underlying: error)
        } else if step == .decode {
            self.init(.decodingFailed, underlying: error)
        } else if step == .build {
            self.init(.invalidRequest, "the request could not be built", underlying: error, reach: .no)
        } else {
            self.init(transportFailure: error)
        }
        var details = self.details
        details.sendID = send.id
        details.step = details.step ?? step
        if details.request == nil {
            details.request = RequestLine(request)
            details.customProperties = request.customProperties
        }
        details.response = details.response ?? response
        details.attempts = attempts
        if attempts == 0 { details.reach = .no }
        self.details = details
    }

    /// The error for what is wrong with a response after its send has handed it over.
    init(_ error: NetworkError, about response: NetworkResponse, in step: Step) {
        self = error
        var details = self.details
        let request = response.request
        details.sendID = request.context.isDetached ? nil : request.context.id
        details.step = step
        details.request = RequestLine(request)
        details.customProperties = request.customProperties
        details.response = response
        details.attempts = request.context.attempt
        self.details = details
    }

    /// The error for what a transport, or the source of a body, threw.
    package init(transportFailure error: any Error) {
        switch error {
        case let error as NetworkError:
            self = error
        case let error as URLError:
            self.init(error)
        case let error as MalformedValue:
            self.init(error)
        case is CancellationError:
            self.init(.transportFailed, "the transport gave up although nobody cancelled", underlying: error)
        default:
            self.init(.transportFailed, underlying: error)
        }
    }

    /// The error for a value that cannot be sent.
    init(_ malformed: MalformedValue) {
        self.init(.invalidRequest, malformed.description, underlying: malformed, reach: .no)
    }

    /// The error for a body that is not the value expected (F14: where, what and how much was there).
    ///
    /// - Parameter place: Which part of the body it is, if it is not all of it.
    init(undecodable body: Data, at place: String = "the body", as type: any Any.Type, cause: any Error) {
        var text = "\(place) is not a \(type)"
        if let place = (cause as? DecodingError).map(Self.place) { text += ", \(place)" }
        self.init(.decodingFailed, text + "; it begins \(BodyExcerpt(body))", underlying: cause)
    }

    private static func place(of error: DecodingError) -> String {
        func at(_ context: DecodingError.Context, _ last: [any CodingKey] = []) -> String {
            let path = (context.codingPath + last).map { key in
                key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
            }
            return path.isEmpty ? "at the top" : "at \(path.joined().drop { $0 == "." })"
        }
        switch error {
        case .keyNotFound(let key, let context): return "no value \(at(context, [key]))"
        case .valueNotFound(let type, let context): return "null instead of a \(type) \(at(context))"
        case .typeMismatch(let type, let context): return "not a \(type) \(at(context))"
        case .dataCorrupted(let context): return "damaged \(at(context))"
        @unknown default: return "for a reason that is new"
        }
    }
}
