import Pipeline

extension CredentialOrigins {
    /// Where an action may attach its credential to a request.
    ///
    /// - Parameters:
    ///   - request: The request as the action sees it.
    ///   - action: The name of the action, for the note that says why a credential is withheld.
    ///   - isTaken: Whether the request has a credential of its own already, which is left alone.
    /// - Returns: The origins that the credential is bound to; `nil` if the request gets none.
    /// - Throws: `authentication-required` if the request must not go without, and was not led there by a redirect.
    func attachment(
        to request: NetworkRequest,
        by action: String,
        unless isTaken: Bool
    ) throws(NetworkError) -> Set<Origin>? {
        guard request.requiresAuthentication != false, !isTaken else { return nil }
        let decision = decision(for: request)
        if case .attach(let origins) = decision { return origins }
        request.context.report(.note(action: action, CredentialNote(decision: decision)))
        // Where a redirect leads is not the caller's mistake.
        let isFirstHop = request.context.visitedOrigins.count <= 1
        if isFirstHop, request.requiresAuthentication == true {
            throw NetworkError(.authenticationRequired, "the credential \(decision)", reach: .no)
        }
        return nil
    }
}
