import Foundation
import Pipeline

/// What `httpipe pins` does: connects to a server and prints the chain it verified, without a request.
struct ChainListing: Sendable {
    let url: URL
    let transport: any ChainSource

    /// Creates a listing.
    ///
    /// - Throws: ``UsageError`` if there is nothing to verify, or the transport does not tell what it verified.
    init(of url: URL, over transport: any Transport) throws(UsageError) {
        guard url.scheme?.lowercased() == "https" else { throw UsageError("pins takes an https URL") }
        guard let source = transport as? any ChainSource else {
            throw UsageError("this transport cannot tell pins")
        }
        self.url = url
        self.transport = source
    }

    /// Connects, prints the chain, and ends with the status for the shell.
    func run() async -> ExitStatus {
        do {
            let chain = try await transport.chain(of: url)
            try Output.standardOutput.write(chain.map(Self.block).joined(separator: "\n"))
            return .acceptable
        } catch Output.Failure.readerLeft {
            return .acceptable
        } catch let error as NetworkError {
            return Console.report("\(error.code): \(error.message)", .init(error))
        } catch {
            return Console.report("output-failed: \(error)", .other)
        }
    }

    /// The lines of a certificate: whose it is, how long it is valid, and its pin alone on the last, ready to paste.
    static func block(_ certificate: VerifiedCertificate) -> String {
        """
        \(printable(certificate.subject))
        \(certificate.notBefore.formatted(.iso8601)) – \(certificate.notAfter.formatted(.iso8601))
        \(certificate.pin)

        """
    }

    /// A name with its control characters escaped: whoever made the certificate must not command a terminal.
    private static func printable(_ name: String) -> String {
        name.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
        }.joined()
    }
}

/// A transport that tells which certificates it verified.
protocol ChainSource: Sendable {
    /// Connects, and returns the chain that was verified, the server's own certificate first.
    func chain(of url: URL) async throws -> [VerifiedCertificate]
}
