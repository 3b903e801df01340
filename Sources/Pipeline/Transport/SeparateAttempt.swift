/// An attempt over a transport that may take its time to end: it works in a task of its own, which is left behind when the
/// attempt must end. What it answers after that is let go of.
final class SeparateAttempt: DirectAttempt {
    private let request: NetworkRequest
    private let transport: any Transport
    private let head = OneShot<Result<NetworkResponse, any Error>>()

    init(_ request: NetworkRequest, over transport: any Transport) {
        self.request = request
        self.transport = transport
    }

    func response() async throws -> NetworkResponse {
        // It throws nothing. A task that could not would be made of one closure more.
        let work = Task<Void, any Error> { [self] in
            do {
                let response = try await transport.send(request)
                if !head.resolve(.success(response)) { response.body.stream?.end(with: .abandoned) }
            } catch {
                head.resolve(.failure(error))
            }
        }
        let result = await withTaskCancellationHandler {
            await head.value()
        } onCancel: {
            head.resolve(.failure(CancellationError()))
        }
        // Either the transport is done, or nobody waits for it any more.
        work.cancel()
        return try result.get()
    }

    func stop(with error: NetworkError) { head.resolve(.failure(error)) }
}
