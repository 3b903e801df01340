import Pipeline

// Each send that waited gets an error of its own, with the refresh's as the cause.
extension NetworkError {
    /// The server refused to renew the token.
    init(refreshRejected cause: any Error, response: NetworkResponse? = nil) {
        self.init(.authenticationRejected, underlying: cause, response: response)
    }

    /// The token could not be renewed, and is what it was.
    init(refreshBroke cause: any Error, response: NetworkResponse? = nil) {
        self.init(.authenticationFailed, underlying: cause, response: response)
    }

    /// The store could not take a token, or let go of it.
    init(storeFailed cause: any Error) {
        self = cause as? NetworkError ?? NetworkError(.actionFailed, "the token store failed", underlying: cause)
    }

    /// This error with the answer that was refused, without its body if that is a stream: nobody would read it.
    func about(_ refused: NetworkResponse) -> NetworkError {
        guard code == .authenticationRejected || code == .authenticationFailed, response == nil else { return self }
        var refused = refused
        if refused.body.stream != nil { refused.body = .empty }
        return NetworkError(code, explanation, underlying: underlying, response: refused)
    }
}
