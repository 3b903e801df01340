import Foundation
import Pipeline

/// What a case plays on: a transport, a server, and words for what it expects.
struct ConformanceStage: Sendable {
    let rule: String
    let server: LoopbackServer
    let transport: any Transport
    let makeTransport: @Sendable () -> any Transport

    init(rule: String, makeTransport: @escaping @Sendable () -> any Transport) throws {
        self.rule = rule
        self.makeTransport = makeTransport
        server = try LoopbackServer()
        transport = makeTransport()
    }

    // MARK: Requests

    /// A request to the server.
    func request(
        _ method: HTTPMethod = .get,
        _ target: String = "/",
        headers: HTTPHeaders = [:],
        body: RequestBody = .none
    ) -> NetworkRequest {
        NetworkRequest(method: method, url: server.url(target), headers: headers, body: body)
    }

    /// Sends a request and reads the whole body.
    func exchange(_ request: NetworkRequest) async throws -> (response: NetworkResponse, body: Data) {
        let response = try await transport.send(request)
        return (response, try await response.body.collect())
    }

    /// Sends a request and returns it as the server received it.
    func received(_ request: NetworkRequest) async throws -> LoopbackRequest {
        _ = try await exchange(request)
        return await server.nextRequest()
    }

    /// Sends a request that must fail, before the head or in the body.
    func failure(of request: NetworkRequest) async throws -> NetworkError {
        do {
            let (response, body) = try await exchange(request)
            throw broken("an error", saw: "\(response.status.code) with \(body.count) bytes")
        } catch let error as NetworkError {
            return error
        } catch is CancellationError {
            throw broken("a NetworkError", saw: "CancellationError")
        }
    }

    /// Sends a request that must fail with one of these codes.
    @discardableResult
    func expectFailure(
        _ codes: NetworkError.Code...,
        reach: NetworkError.Reach? = nil,
        of request: NetworkRequest
    ) async throws -> NetworkError {
        let error = try await failure(of: request)
        try expect(error, in: codes, reach: reach)
        return error
    }

    // MARK: Expectations

    func broken(_ expected: String, saw: String) -> ConformanceFailure {
        ConformanceFailure(rule: rule, expected: expected, seen: saw)
    }

    func expect(_ holds: Bool, _ expected: String, saw: @autoclosure () -> String) throws {
        guard holds else { throw broken(expected, saw: saw()) }
    }

    func expect<Value: Equatable>(_ what: String, _ value: Value, is expected: Value) throws {
        guard value == expected else { throw broken("\(what) to be \(expected)", saw: "\(value)") }
    }

    /// Compares bytes; a difference is told by size and place, since bodies can be long.
    func expect(body: Data, is expected: Data) throws {
        guard body != expected else { return }
        let place = zip(body, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        let difference = place.map { ", different from byte \($0) on" } ?? ""
        throw broken("\(expected.count) bytes of body as given", saw: "\(body.count) bytes\(difference)")
    }

    func expect(_ error: NetworkError, in codes: [NetworkError.Code], reach: NetworkError.Reach? = nil) throws {
        let names = codes.map(\.rawValue).joined(separator: " or ")
        try expect(codes.contains(error.code), "the code \(names)", saw: "\(error.code): \(error)")
        if let reach { try expect("the reach of \(error.code)", error.reach, is: reach) }
    }

    // MARK: Material

    /// Bytes in which lost, doubled and swapped pieces show: each block of 4 KiB begins with its number.
    static func pattern(_ count: Int) -> Data {
        let filler = Data((0..<4088).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        var data = Data(capacity: count + 4096)
        for block in 0..<(count / 4096 + 1) {
            withUnsafeBytes(of: UInt64(block).bigEndian) { data.append(contentsOf: $0) }
            data.append(filler)
        }
        return data.prefix(count)
    }
}
