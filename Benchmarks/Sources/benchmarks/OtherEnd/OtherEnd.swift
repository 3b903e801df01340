import Foundation
import PipelineTesting

/// The servers that contenders talk to: nginx where it is installed, and the loopback server of PipelineTesting.
///
/// Uploads go to the loopback server always, which reads them to the end, counts and drops them. nginx would answer before it
/// has read a body, or write it to a disk, and neither is to be measured.
final class OtherEnd {
    /// Files of the servers and of their clients.
    let scratch: ScratchFolder

    private let loopback: LoopbackServer
    private let nginx: Nginx?

    /// The JSON document that all contenders ask for.
    static let json = #"{"id": 1, "name": "Ada Lovelace"}"#
    /// Where it is.
    static let documentPath = "users/1"

    /// Starts the servers.
    init() async throws {
        scratch = try ScratchFolder()
        do {
            loopback = try LoopbackServer(records: false)
            nginx = try await Nginx(in: scratch.url)
        } catch {
            scratch.remove()
            throw error
        }
        loopback.handle("GET", "/" + Self.documentPath) { _ in .json(Self.json) }
        loopback.handle("GET", "/:bytes") { request in
            guard let bytes = request.parameters["bytes"].flatMap({ Int($0) }) else { return .empty(404) }
            return .repeating(Data(count: 50_000), count: bytes / 50_000)
        }
        loopback.handleHead("PUT", "/:bytes") { head in
            .readBody(after: head.first(of: "Expect") == nil ? [] : [.interim(100)], keepsBody: false)
        }
        loopback.handle("PUT", "/:bytes") { request in
            request.parameters["bytes"] == "\(request.bodyByteCount)" ? .text("whole") : .empty(400)
        }
    }

    /// Stops the servers and removes all files.
    func stop() async {
        await nginx?.stop()
        loopback.stop()
        scratch.remove()
    }

    /// What to know about the servers when reading the figures; `nil` if there is nothing.
    var remark: String? {
        nginx == nil ? "nginx is not installed (apt-get install nginx), the other end is a LoopbackServer" : nil
    }

    /// A small JSON document.
    var document: URL { (nginx?.url ?? loopback.url).appendingPathComponent(Self.documentPath) }

    /// The same over TLS, on connections that end with the response and sessions that are not resumed, and the certificate
    /// to trust.
    ///
    /// - Throws: ``BenchmarkFailure`` if there is no server that speaks TLS.
    func secureDocument() throws -> (url: URL, certificate: URL) {
        guard let nginx, let url = nginx.secureURL else {
            throw BenchmarkFailure("for a server that speaks TLS, install: apt-get install nginx openssl")
        }
        return (url.appendingPathComponent(Self.documentPath), nginx.certificate)
    }

    /// A body of so many bytes.
    func large(_ bytes: Int) throws -> URL {
        let file = try scratch.sparseFile(bytes)
        return (nginx?.url ?? loopback.url).appendingPathComponent(file.lastPathComponent)
    }

    /// Where to put a body of so many bytes. Any other number of them is answered with 400.
    func sink(_ bytes: Int) -> URL { loopback.url.appendingPathComponent("\(bytes)") }
}
