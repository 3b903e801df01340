public import Foundation

/// A client's certificate and its private key, for servers that ask who the client is (RFC 8446, section 4.4.2).
///
/// No text about it shows the key or the password.
public struct ClientIdentity: Sendable, Hashable {
    enum Form: Sendable, Hashable {
        case pem(certificates: Data, privateKey: Data)
        case pkcs12(Data)
    }

    let form: Form
    let password: String?

    /// A certificate and a key in PEM (RFC 7468).
    ///
    /// - Parameters:
    ///   - certificates: The certificate, and after it those that lead to an authority, if the server needs them.
    ///   - privateKey: The key; it can stand in the same text as the certificate.
    ///   - password: What the key is encrypted with, if it is.
    public static func pem(certificates: Data, privateKey: Data, password: String? = nil) -> ClientIdentity {
        ClientIdentity(form: .pem(certificates: certificates, privateKey: privateKey), password: password)
    }

    /// A PKCS #12 archive (RFC 7292), as `.p12` and `.pfx` files hold.
    public static func pkcs12(_ archive: Data, password: String) -> ClientIdentity {
        ClientIdentity(form: .pkcs12(archive), password: password)
    }
}

extension ClientIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// That there is one, and nothing else.
    public var description: String { "a client identity" }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
