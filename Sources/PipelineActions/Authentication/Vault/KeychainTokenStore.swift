#if canImport(Security)
    import Foundation
    import Pipeline
    public import Security

    /// Keeps tokens in the keychain, as generic passwords of one service.
    ///
    /// They are readable once the device has been unlocked after its start, unless told otherwise, so that a refresh in the
    /// background works, and are not synchronised with other devices. On macOS they are in the data protection keychain,
    /// which is open to signed applications only.
    public struct KeychainTokenStore: TokenStore {
        /// When the system lets the tokens be read.
        public enum Accessibility: Sendable, Hashable {
            /// After the first unlocking since the device was started; restored to a new device from a backup.
            case afterFirstUnlock
            /// The same, on this device only.
            case afterFirstUnlockThisDeviceOnly
            /// While the device is unlocked; restored to a new device from a backup.
            case whenUnlocked
            /// The same, on this device only.
            case whenUnlockedThisDeviceOnly
        }

        private let service: String
        private let accessGroup: String?
        private let accessibility: Accessibility

        /// Creates a store.
        ///
        /// - Parameters:
        ///   - service: The name that the tokens are kept under: the application's, as a rule.
        ///   - accessGroup: The group of applications that share them; this application alone unless told otherwise.
        ///   - accessibility: When they can be read.
        public init(
            service: String,
            accessGroup: String? = nil,
            accessibility: Accessibility = .afterFirstUnlockThisDeviceOnly
        ) {
            self.service = service
            self.accessGroup = accessGroup
            self.accessibility = accessibility
        }

        /// The token of a scope.
        ///
        /// - Throws: ``KeychainError`` if the keychain refuses; ``/Pipeline/NetworkError`` `file-failed` if its item is no token.
        public func token(for scope: TokenScope) async throws -> AccessToken? {
            var query = query(for: scope)
            query[kSecReturnData as String] = true
            query[kSecMatchLimit as String] = kSecMatchLimitOne
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            guard status != errSecItemNotFound else { return nil }
            guard status == errSecSuccess, let data = found as? Data else { throw KeychainError(status: status) }
            // The decoder's error is left out: it may quote what it read.
            guard let token = try? JSONDecoder().decode(AccessToken.self, from: data) else {
                throw NetworkError(.fileFailed, "the keychain's item for \(scope) is no token")
            }
            return token
        }

        public func setToken(_ token: AccessToken, for scope: TokenScope) async throws {
            let value: [String: Any] = [
                kSecValueData as String: try JSONEncoder().encode(token), kSecAttrAccessible as String: protection,
            ]
            let query = query(for: scope)
            var status = SecItemUpdate(query as CFDictionary, value as CFDictionary)
            if status == errSecItemNotFound {
                status = SecItemAdd(query.merging(value) { $1 } as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw KeychainError(status: status) }
        }

        public func removeToken(for scope: TokenScope) async throws {
            try remove(query(for: scope))
        }

        public func removeAllTokens() async throws {
            try remove(query(for: nil))
        }

        private func remove(_ query: [String: Any]) throws {
            let status = SecItemDelete(query as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else { throw KeychainError(status: status) }
        }

        private func query(for scope: TokenScope?) -> [String: Any] {
            var query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
                kSecUseDataProtectionKeychain as String: true,
            ]
            if let scope { query[kSecAttrAccount as String] = scope.key }
            if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
            return query
        }

        private var protection: CFString {
            switch accessibility {
            case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
            case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            case .whenUnlocked: kSecAttrAccessibleWhenUnlocked
            case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
            }
        }
    }

    /// The keychain refused.
    public struct KeychainError: Error, Hashable, CustomStringConvertible {
        /// The status that it gave; `errSecInteractionNotAllowed` while the device is locked, for one.
        public let status: OSStatus

        /// What the system says about the status.
        public var description: String {
            SecCopyErrorMessageString(status, nil).map { "\($0) (\(status))" } ?? "keychain status \(status)"
        }
    }
#endif
