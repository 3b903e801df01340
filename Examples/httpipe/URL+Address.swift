import Foundation
import Pipeline

extension URL {
    /// Reads a URL as people type it.
    ///
    /// One without a scheme gets `https`, so that nothing leaves unprotected by accident; hosts of this machine get `http`,
    /// since hardly any of them has a certificate.
    ///
    /// - Parameters:
    ///   - address: What was typed.
    ///   - loopbackScheme: The scheme of a host of this machine, where none was typed.
    /// - Throws: ``UsageError`` if it names no host, or a scheme other than http and https.
    init(address: String, loopbackScheme: String = "http") throws(UsageError) {
        let hasScheme = address.prefix { !"/?#".contains($0) }.hasSuffix(":") && address.contains("://")
        let isLoopback = Origin("http://" + address)?.isLoopback == true
        let text = hasScheme ? address : "\(isLoopback ? loopbackScheme : "https")://\(address)"
        // Strict, so that what is sent is what was typed: mending would encode a percent sign twice.
        guard let url = URL(string: text, encodingInvalidCharacters: false) else {
            throw UsageError("the URL is malformed; percent-encode what is not ASCII, spaces and brackets")
        }
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            throw UsageError("the URL must be an http or https one")
        }
        guard Origin(url) != nil else { throw UsageError("the URL names no host") }
        self = url
    }
}
