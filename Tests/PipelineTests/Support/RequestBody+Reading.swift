import Foundation
import Pipeline

extension RequestBody {
    /// All that the body sends.
    func read() async throws -> Data {
        var data = Data()
        for try await chunk in try makeChunks() { data += chunk }
        return data
    }

    /// All that the body sends, as text.
    func readText() async throws -> String { String(decoding: try await read(), as: UTF8.self) }
}

/// A file that lives as long as the value.
final class TemporaryFile: Sendable {
    let url: URL

    init(_ data: Data, named name: String = "file-\(UUID().uuidString)") throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        try data.write(to: url)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

extension Network {
    /// A network that answers every request with an empty 200 and remembers what was sent.
    static func recording(
        baseURL: URL? = api,
        configuration: NetworkConfiguration = NetworkConfiguration()
    ) -> (Network, Sent) {
        let sent = Sent()
        return (Network(baseURL: baseURL, transport: sent, configuration: configuration), sent)
    }
}

/// A transport that remembers the last request.
final class Sent: Transport {
    private let last = Locked<NetworkRequest?>(nil)

    var request: NetworkRequest? { last.withLock { $0 } }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        last.withLock { $0 = request }
        return NetworkResponse(status: 200, request: request)
    }
}
