#if canImport(Glibc)
    import Foundation
    import Pipeline
    import Testing

    /// What the program demands of a server, and shows it, against servers with made certificates.
    @Suite(.timeLimit(.minutes(3)))
    struct TLSRunTests {
        private static let roots = ["--cacert", TLSServers.file("root.pem").path]

        @Test func `trusts the roots of a file and no others`() async throws {
            let servers = try await TLSServers.start("good")
            let url = try servers.url("good")
            let trusted = try await Program([url] + Self.roots).end()
            #expect(trusted.text == "secret", "\(trusted.errors)")
            #expect(trusted.status == 0)

            let scratch = try Scratch()
            let root = try Certificate.list(contentsOf: TLSServers.file("root.pem"))[0]
            try root.der.write(to: scratch["root.der"])
            let binary = try await Program([url, "--cacert", scratch["root.der"].path]).end()
            #expect(binary.text == "secret", "\(binary.errors)")

            for arguments in [[], ["--cacert", TLSServers.file("other-root.pem").path]] {
                let run = try await Program([url] + arguments).end()
                #expect(run.errors.hasPrefix("error: tls-untrusted: "), "\(run.errors)")
                #expect(run.text == "")
                #expect(run.status == 8)
            }
            #expect(try await servers.requests("good").count == 2)
        }

        @Test func `verifies every host but the one it is told not to`() async throws {
            let servers = try await TLSServers.start("self-signed", "good")
            let url = try servers.url("self-signed")
            let run = try await Program.run(url, "--insecure-host", "localhost")
            #expect(run.text == "secret", "\(run.errors)")
            let other = try await Program.run(url, "--insecure-host", "other.test")
            #expect(other.status == 8, "\(other.errors)")

            let place = try servers.place("good", host: "made-up.test")
            let elsewhere = try await Program(["https://\(place)", "--resolve", "\(place):127.0.0.1"] + Self.roots)
                .end()
            #expect(elsewhere.errors.hasPrefix("error: tls-wrong-host: "), "\(elsewhere.errors)")
            #expect(elsewhere.status == 8)
        }

        @Test func `prints the chain that was verified, and sends nothing`() async throws {
            let servers = try await TLSServers.start("good")
            let run = try await Program(["pins", try servers.place("good")] + Self.roots).end()
            #expect(run.errors == "")
            #expect(run.status == 0)
            let blocks = run.text.split(separator: "\n\n").map { $0.split(separator: "\n").map(String.init) }
            let pins = try ["good", "intermediate", "root"].map(TLSServers.pin)
            #expect(blocks.map(\.last) == pins, "\(run.text)")
            for block in blocks {
                #expect(block.count == 3)
                #expect(block[0].contains("CN="))
                #expect(block[1].wholeMatch(of: /\d{4}-\d\d-\d\dT[\d:]{8}Z – \d{4}-\d\d-\d\dT[\d:]{8}Z/) != nil)
            }
            #expect(try await servers.requests("good").isEmpty)
        }

        @Test func `prints no chain that does not verify`() async throws {
            let servers = try await TLSServers.start("good", "expired")
            let untrusted = try await Program(["pins", try servers.place("good")]).end()
            #expect(untrusted.errors.hasPrefix("error: tls-untrusted: "), "\(untrusted.errors)")
            let expired = try await Program(["pins", try servers.place("expired")] + Self.roots).end()
            #expect(expired.errors.hasPrefix("error: tls-expired: "), "\(expired.errors)")
            for run in [untrusted, expired] {
                #expect(run.text == "")
                #expect(run.status == 8)
            }
        }

        @Test func `talks to a pinned host only if a pin holds`() async throws {
            let servers = try await TLSServers.start("good")
            let url = try servers.url("good")
            for names in [["good"], ["root"], ["second", "intermediate"]] {
                let run = try await Program([url] + Self.roots + pins(names)).end()
                #expect(run.text == "secret", "\(names): \(run.errors)")
            }
            for names in [["second"], ["second", "other-root"]] {
                let run = try await Program([url] + Self.roots + pins(names)).end()
                #expect(run.errors.hasPrefix("error: pin-mismatch: "), "\(names): \(run.errors)")
                #expect(run.text == "")
                #expect(run.status == 8)
            }
            #expect(try await servers.requests("good").count == 3)
        }

        @Test func `tells of a server without a pin, and goes on, where pins are only reported`() async throws {
            let servers = try await TLSServers.start("good")
            let url = try servers.url("good")
            let arguments = [url, "--pin-report-only"] + Self.roots
            let run = try await Program(arguments + pins(["other-root"])).end()
            #expect(run.text == "secret", "\(run.errors)")
            #expect(run.errors.hasPrefix("* the verified chain of localhost holds none of its 1 pin; it has sha256/"))
            let quiet = try await Program(arguments + pins(["good"])).end()
            #expect(quiet.text == "secret" && quiet.errors == "", "\(quiet.errors)")
        }

        private func pins(_ names: [String]) throws -> [String] {
            try names.flatMap { ["--pin", "localhost=\(try TLSServers.pin($0))"] }
        }

        @Test func `shows who the client is`() async throws {
            let servers = try await TLSServers.start("client-required")
            let (files, variable) = (TLSServers.file, "HTTPIPE_KEY_PASSWORD")
            let certificate = ["--client-cert", files("client.pem").path, "--client-key"]
            let encrypted = [
                certificate + [files("client-key-encrypted.pem").path], ["--client-cert", files("client.p12").path],
            ]
            let url = try servers.url("client-required")

            let open = try await Program([url] + Self.roots + certificate + [files("client-key.pem").path]).end()
            #expect(open.text == "secret", "\(open.errors)")
            for identity in encrypted {
                let arguments = [url] + Self.roots + identity
                let right = try await Program(arguments, environment: [variable: "secret"]).end()
                #expect(right.text == "secret", "\(right.errors)")
                for environment in [[variable: "canary"], [:]] {
                    let wrong = try await Program(arguments, environment: environment).end()
                    #expect(wrong.errors.hasPrefix("error: "))
                    #expect(!wrong.errors.contains("canary"))
                    #expect(wrong.status == 9, "\(wrong.errors)")
                }
            }
        }

        @Test func `tells that a server wants to know who the client is`() async throws {
            let servers = try await TLSServers.start("client-required")
            let run = try await Program([try servers.url("client-required")] + Self.roots).end()
            #expect(run.errors.hasPrefix("error: tls-handshake: "), "\(run.errors)")
            #expect(run.status == 8)
        }

        @Test func `tells what secures the connection`() async throws {
            let servers = try await TLSServers.start("good")
            let run = try await Program([try servers.url("good"), "--metrics"] + Self.roots).end()
            #expect(run.errors.contains("\n* TLS: "), "\(run.errors)")
            #expect(run.errors.contains("\n* security: TLSv1.3 TLS_"), "\(run.errors)")
        }
    }
#endif
