import Foundation
import PipelineTesting

/// nginx on two free ports of the loopback address, with a configuration and folders of its own.
final class Nginx {
    /// Its root over plain HTTP. Connections are kept for as long as clients want.
    let url: URL
    /// Its root over TLS; `nil` without openssl to make a certificate. A connection ends with its first response.
    let secureURL: URL?
    /// The certificate that it shows, which signed itself.
    let certificate: URL

    private let process = Process()
    private let lifeline = Pipe()
    private let ended: AsyncStream<Never>

    /// Starts it with a folder as its root, and waits until it listens; `nil` if it is not installed.
    init?(in folder: URL) async throws {
        guard let program = ChildProcess.find("nginx") else { return nil }
        // Ports that were free a moment ago; both are held until both are known, so that they differ.
        let holders = [try LoopbackServer(), try LoopbackServer()]
        let (port, securePort) = (holders[0].port, holders[1].port)
        for holder in holders { holder.stop() }

        certificate = folder.appendingPathComponent("certificate.pem")
        let hasCertificate = try await Self.makeCertificate(certificate, key: folder.appendingPathComponent("key.pem"))
        url = URL(string: "http://127.0.0.1:\(port)")!
        secureURL = hasCertificate ? URL(string: "https://127.0.0.1:\(securePort)")! : nil

        let configuration = Self.configuration(port: port, securePort: hasCertificate ? securePort : nil)
        let file = folder.appendingPathComponent("nginx.conf")
        try Data(configuration.utf8).write(to: file)

        // A second shell ends nginx when the other end of its input is closed. So nginx ends with this program, however that
        // ends.
        let script = #"ulimit -n "$(ulimit -Hn)"; exec 3<&0; (read -r _ <&3; kill $$) & exec "$0" "$@" 3<&-"#
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script, program.path, "-p", folder.path, "-c", file.path]
        process.standardInput = lifeline
        process.standardOutput = FileHandle.nullDevice
        let (ended, end) = AsyncStream<Never>.makeStream()
        self.ended = ended
        process.terminationHandler = { _ in end.finish() }
        try process.run()
        try await waitUntilItListens(folder.appendingPathComponent("nginx.pid"))
    }

    func stop() async {
        try? lifeline.fileHandleForWriting.close()
        for await _ in ended {}
    }

    /// It writes the file once its sockets are open.
    private func waitUntilItListens(_ file: URL) async throws {
        for _ in 0..<500 {
            if FileManager.default.fileExists(atPath: file.path) { return }
            // Another program's file tells nobody that it is there. It is not the time of anything that is measured.
            try await Task.sleep(for: .milliseconds(10))
        }
        await stop()
        throw BenchmarkFailure("nginx did not start; what it said stands above")
    }

    private static func makeCertificate(_ certificate: URL, key: URL) async throws -> Bool {
        guard let openssl = ChildProcess.find("openssl") else { return false }
        let arguments = [
            ["req", "-x509", "-nodes", "-days", "2", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"],
            ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
            ["-keyout", key.path, "-out", certificate.path],
        ]
        _ = try await ChildProcess.output(of: openssl, arguments.flatMap(\.self))
        return true
    }

    /// One worker, since its clients need the other cores; nothing that ends a connection or waits for a disk.
    private static func configuration(port: Int, securePort: Int?) -> String {
        // As root it would drop its rights and could not read the folder; as anybody else it warns about the word.
        let user = FileManager.default.isWritableFile(atPath: "/root") ? "user root;" : ""
        let document = """
            location = /\(OtherEnd.documentPath) { default_type application/json; return 200 '\(OtherEnd.json)'; }
            """
        let secure = securePort.map { port in
            """
            server {
                listen 127.0.0.1:\(port) ssl;
                ssl_certificate certificate.pem;
                ssl_certificate_key key.pem;
                ssl_session_cache off;
                ssl_session_tickets off;
                keepalive_timeout 0;
                \(document)
            }
            """
        }
        return """
            \(user)
            daemon off;
            worker_processes 1;
            pid nginx.pid;
            error_log stderr warn;
            events { worker_connections 1024; }
            http {
                access_log off;
                sendfile on;
                tcp_nopush on;
                keepalive_requests 1000000000;
                keepalive_timeout 1h;
                client_body_temp_path body;
                proxy_temp_path proxy;
                fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi;
                scgi_temp_path scgi;
                server {
                    listen 127.0.0.1:\(port);
                    root .;
                    \(document)
                }
                \(secure ?? "")
            }
            """
    }
}
