import Foundation
import Pipeline
import Testing

@testable import httpipe

/// The texts that are made of what was measured and verified.
struct ReportTests {
    @Test func `a certificate ends with its pin, ready to paste`() throws {
        let pin = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        let certificate = VerifiedCertificate(
            subject: "CN=a.test\u{1B}[2J,O=Ä",
            notBefore: Date(timeIntervalSince1970: 0),
            notAfter: Date(timeIntervalSince1970: 4_102_444_799),
            pin: try Pin(pin),
            certificate: Certificate(der: Data())
        )
        #expect(
            ChainListing.block(certificate) == """
                CN=a.test\\u{1B}[2J,O=Ä
                1970-01-01T00:00:00Z – 2099-12-31T23:59:59Z
                \(pin)

                """
        )
    }

    @Test func `metrics are a line for each figure`() {
        var metrics = AttemptMetrics()
        metrics.queued = .zero
        metrics.nameLookup = .microseconds(1_240)
        metrics.connected = .microseconds(1_250)
        metrics.secured = .milliseconds(30)
        metrics.firstByte = .milliseconds(1_040)
        metrics.total = .seconds(2)
        metrics.bytesSent = 0
        metrics.bytesReceived = 12_345
        metrics.isReusedConnection = false
        metrics.remoteAddress = "[::1]:443"
        metrics.tlsVersion = "TLSv1.3"
        metrics.tlsCipher = "TLS_AES_256_GCM_SHA384"
        #expect(
            MetricsReport(metrics: metrics, version: .http2).description == """
                * queue: 0.0 ms
                * lookup: 1.2 ms
                * connect: 1.3 ms
                * TLS: 30.0 ms
                * first byte: 1040.0 ms
                * total: 2000.0 ms
                * sent: 0 bytes
                * received: 12345 bytes
                * connection: new
                * protocol: HTTP/2
                * address: [::1]:443
                * security: TLSv1.3 TLS_AES_256_GCM_SHA384

                """
        )
    }

    @Test func `what was not measured has no line`() {
        #expect(MetricsReport(metrics: AttemptMetrics(), version: nil).description == "")
    }
}
