#if canImport(Network)
    import Foundation
    import Network

    /// A connection that leaves HTTP, over Apple's Network framework: `URLSession` gives none away.
    final class NetworkUpgrade: UpgradedConnection {
        private let connection: NWConnection
        private let meter = SendMeter()
        /// What came behind the head.
        private let early = Locked(Data())

        /// How much is read at once.
        private static let pieceSize = 64 * 1024
        private static let queue = DispatchQueue(label: "pipeline.upgrades", attributes: .concurrent)

        private init(_ connection: NWConnection) { self.connection = connection }

        deinit { connection.cancel() }

        /// Sends a request that asks to leave HTTP.
        static func send(_ request: NetworkRequest, upgradingTo upgrade: String) async throws -> NetworkResponse {
            let origin = try request.check()
            guard request.method == .get, request.body.isEmpty else {
                throw NetworkError(
                    .invalidRequest,
                    "what asks for another protocol is a GET without a body",
                    reach: .no
                )
            }
            guard request.tls?.minimumVersion == nil else {
                throw NetworkError(.optionUnsupported, "a minimum version of TLS cannot be asked for here", reach: .no)
            }
            guard let port = NWEndpoint.Port(rawValue: UInt16(origin.port)) else {
                throw NetworkError(.invalidRequest, "\(origin.port) is no port", reach: .no)
            }
            let upgraded = NetworkUpgrade(
                NWConnection(host: NWEndpoint.Host(origin.host), port: port, using: origin.isSecure ? .tls : .tcp)
            )
            return try await withTaskCancellationHandler {
                try await upgraded.connect(within: request.timeLimits.connect, by: request.context.time)
                upgraded.write(UpgradeHead.bytes(of: request, upgradingTo: upgrade, at: origin, userAgent: nil))
                return try await upgraded.answer(to: request)
            } onCancel: {
                upgraded.cancel()
            }
        }

        private func connect(within limit: Duration?, by time: any TimeSource) async throws(NetworkError) {
            let ready = OneShot<Result<Void, NetworkError>>()
            connection.stateUpdateHandler = { [meter] state in
                switch state {
                case .ready:
                    ready.resolve(.success(()))
                case .waiting(let error), .failed(let error):
                    let isNew = ready.resolve(.failure(NetworkError(connecting: error)))
                    if !isNew { meter.end(with: NetworkError(.connectionLost, underlying: error)) }
                case .cancelled:
                    ready.resolve(.failure(NetworkError(.cancelled, reach: .no)))
                    meter.end(with: NetworkError(.cancelled))
                default:
                    break
                }
            }
            let handle = limit.flatMap { limit in
                time.startLimit(of: limit) { ready.resolve(.failure(NetworkError(.timedOutConnecting, reach: .no))) }
            }
            defer { handle?.lift() }
            connection.start(queue: Self.queue)
            try await ready.value().get()
        }

        private func answer(to request: NetworkRequest) async throws -> NetworkResponse {
            var answer = UpgradeAnswer(
                limits: .init(size: 256 * 1024, fields: 200, interimResponses: 16),
                upTo: request.maximumResponseSize ?? 100_000_000
            )
            reading: while true {
                guard let bytes = try await receive() else {
                    try answer.end()
                    break
                }
                switch try answer.take(bytes) {
                case .more: continue
                case .refused: break reading
                case .switched(let rest):
                    early.withLock { $0 = rest }
                    return response(answer.head, body: .stream(BodyStream(self)), to: request)
                }
            }
            return response(answer.head, body: .bytes(answer.body), to: request)
        }

        private func response(
            _ head: ResponseHeadReader,
            body: ResponseBody,
            to request: NetworkRequest
        ) -> NetworkResponse {
            NetworkResponse(
                status: HTTPStatus(head.status),
                headers: HTTPHeaders(lines: head.lines),
                body: body,
                version: head.version,
                request: request
            )
        }

        private func receive() async throws -> Data? {
            try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Data?, any Error>) in
                connection.receive(minimumIncompleteLength: 1, maximumLength: Self.pieceSize) { data, _, _, error in
                    if let data, !data.isEmpty {
                        waiter.resume(returning: data)
                    } else if let error {
                        waiter.resume(throwing: NetworkError(.connectionLost, underlying: error))
                    } else {
                        waiter.resume(returning: nil)
                    }
                }
            }
        }

        // MARK: The connection

        func next() async throws -> Data? {
            let rest = early.withLock { early in
                defer { early = Data() }
                return early
            }
            return rest.isEmpty ? try await receive() : rest
        }

        func write(_ bytes: Data) {
            meter.add(bytes.count)
            let completion = NWConnection.SendCompletion.contentProcessed { [meter] error in
                if let error {
                    meter.end(with: NetworkError(.connectionLost, underlying: error))
                } else {
                    meter.sent(bytes.count)
                }
            }
            connection.send(content: bytes, completion: completion)
        }

        var unsent: Int { meter.waiting }

        func drain(to count: Int) async throws { try await meter.drain(to: count) }

        func cancel() {
            connection.cancel()
            meter.end(with: NetworkError(.cancelled))
        }
    }

    extension NetworkError {
        fileprivate init(connecting error: NWError) {
            let code: Code =
                switch error {
                case .posix(.ECONNREFUSED): .connectionRefused
                case .posix(.ENETDOWN), .posix(.ENETUNREACH): .offline
                case .dns: .hostNotFound
                case .tls: .tlsHandshake
                default: .connectionFailed
                }
            self.init(code, underlying: error, reach: .no)
        }
    }
#endif
