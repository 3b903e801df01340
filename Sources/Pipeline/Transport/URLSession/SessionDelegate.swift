import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Hears what happens in the sessions of a transport and tells the exchange it is about.
///
/// A session keeps its delegate alive until it is invalidated; so this class knows the exchanges that run and nothing of
/// the transport.
final class SessionDelegate: NSObject, Sendable {
    /// A task of a session: task identifiers repeat from session to session.
    private struct Key: Hashable {
        let session: ObjectIdentifier
        let task: Int

        init(_ session: URLSession, _ task: URLSessionTask) {
            self.session = ObjectIdentifier(session)
            self.task = task.taskIdentifier
        }
    }

    /// Where the sessions call.
    let queue: OperationQueue

    private let running = Locked<[Key: SessionExchange]>([:])
    private let challenges: (any URLSessionTaskDelegate & Sendable)?

    init(challenges: (any URLSessionTaskDelegate & Sendable)?) {
        self.challenges = challenges
        queue = OperationQueue()
        queue.name = "pipeline.urlsession"
        queue.maxConcurrentOperationCount = 1
        queue.qualityOfService = .userInitiated
    }

    /// The exchanges that run.
    var exchanges: [SessionExchange] { running.withLock { Array($0.values) } }

    /// Begins to tell an exchange about its task.
    func adopt(_ exchange: SessionExchange, as task: URLSessionTask, of session: URLSession) {
        let key = Key(session, task)
        running.withLock { $0[key] = exchange }
        exchange.onEnd { [weak self] in self?.forget(key) }
    }

    private func forget(_ key: Key) {
        _ = running.withLock { $0.removeValue(forKey: key) }
    }

    private func exchange(of task: URLSessionTask, in session: URLSession) -> SessionExchange? {
        let key = Key(session, task)
        return running.withLock { $0[key] }
    }
}

extension SessionDelegate: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask, in: session)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask, in: session)?.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchange(of: task, in: session)?.complete(response: task.response, error: error)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task, in: session)?.sent(totalBytesSent)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The redirect itself is the response. Followed here, credentials would go along to any origin.
        completionHandler(nil)
    }

    #if canImport(Darwin)
        func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            willCacheResponse proposedResponse: CachedURLResponse,
            completionHandler: @escaping (CachedURLResponse?) -> Void
        ) {
            completionHandler(session.configuration.urlCache == nil ? nil : proposedResponse)
        }
    #endif
}

extension SessionDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if Self.asksForPassword(challenge) {
            // On Linux this ends the task with "cancelled" although the response is whole, which the exchange knows.
            exchange(of: task, in: session)?.refuseChallenge()
            completionHandler(.rejectProtectionSpace, nil)
        } else if let challenges {
            // Not on the delegate queue: a slow answer must not hold other transfers.
            DispatchQueue.global(qos: .userInitiated).async {
                Self.ask(challenges, session, task, challenge, completionHandler)
            }
        } else {
            completionHandler(.performDefaultHandling, nil)
        }
    }

    private static func ask(
        _ delegate: any URLSessionTaskDelegate,
        _ session: URLSession,
        _ task: URLSessionTask,
        _ challenge: URLAuthenticationChallenge,
        _ completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Darwin)
            let ask = delegate.urlSession(_:task:didReceive:completionHandler:)
            guard let ask else { return completionHandler(.performDefaultHandling, nil) }
            ask(session, task, challenge, completionHandler)
        #else
            delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: completionHandler)
        #endif
    }

    private static func asksForPassword(_ challenge: URLAuthenticationChallenge) -> Bool {
        #if canImport(Darwin)
            let method = challenge.protectionSpace.authenticationMethod
            return method != NSURLAuthenticationMethodServerTrust
                && method != NSURLAuthenticationMethodClientCertificate
        #else
            return true
        #endif
    }
}
