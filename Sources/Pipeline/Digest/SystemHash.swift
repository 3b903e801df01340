import Foundation

#if canImport(CryptoKit)
    import CryptoKit

    /// A running hash of CryptoKit's.
    enum SystemHash: Sendable {
        case md5(Insecure.MD5)
        case sha256(SHA256)
        case sha512(SHA512)

        init(_ algorithm: HashAlgorithm) throws(NetworkError) {
            switch algorithm {
            case .md5: self = .md5(Insecure.MD5())
            case .sha256: self = .sha256(SHA256())
            case .sha512: self = .sha512(SHA512())
            }
        }

        mutating func update(_ bytes: UnsafeRawBufferPointer) {
            switch self {
            case .md5(var hash):
                hash.update(bufferPointer: bytes)
                self = .md5(hash)
            case .sha256(var hash):
                hash.update(bufferPointer: bytes)
                self = .sha256(hash)
            case .sha512(var hash):
                hash.update(bufferPointer: bytes)
                self = .sha512(hash)
            }
        }

        func finalized() -> Data {
            switch self {
            case .md5(let hash): Data(hash.finalize())
            case .sha256(let hash): Data(hash.finalize())
            case .sha512(let hash): Data(hash.finalize())
            }
        }
    }
#elseif canImport(Glibc)
    import CCurl

    /// A running hash of OpenSSL's.
    struct SystemHash: Sendable {
        /// Copies of the value share it until one of them takes in more.
        private final class State: @unchecked Sendable {  // Changed only by a value that is its one owner.
            let digest: OpaquePointer

            init(_ digest: OpaquePointer) { self.digest = digest }

            deinit { ccurl_digest_free(digest) }

            func copy() -> State {
                // Nothing but the want of memory keeps OpenSSL from it, and with that Swift stops too.
                guard let copy = ccurl_digest_copy(digest) else { preconditionFailure("no memory for a digest") }
                return State(copy)
            }
        }

        private var state: State

        init(_ algorithm: HashAlgorithm) throws(NetworkError) {
            _ = try CurlLibrary.shared.get()
            if let obstacle = ccurl_digest_load() {
                throw NetworkError(.hashUnavailable, String(cString: obstacle), reach: .no)
            }
            guard let digest = ccurl_digest_new(Self.name(of: algorithm)) else {
                throw NetworkError(.hashUnavailable, "this system's OpenSSL refuses \(algorithm)", reach: .no)
            }
            state = State(digest)
        }

        mutating func update(_ bytes: UnsafeRawBufferPointer) {
            guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
            if !isKnownUniquelyReferenced(&state) { state = state.copy() }
            let isUpdated = ccurl_digest_update(state.digest, start, bytes.count) == 1
            precondition(isUpdated, "a digest that has begun takes in any bytes")
        }

        func finalized() -> Data {
            let last = state.copy()  // OpenSSL's own can take in nothing more afterwards.
            var bytes = [UInt8](repeating: 0, count: 64)
            let length = ccurl_digest_finish(last.digest, &bytes)
            precondition(length > 0, "a digest that has begun can be finished")
            return Data(bytes.prefix(length))
        }

        private static func name(of algorithm: HashAlgorithm) -> String {
            switch algorithm {
            case .md5: "MD5"
            case .sha256: "SHA256"
            case .sha512: "SHA512"
            }
        }
    }
#else
    /// There is nothing to hash with.
    struct SystemHash: Sendable {
        init(_ algorithm: HashAlgorithm) throws(NetworkError) {
            throw NetworkError(.hashUnavailable, "there is no library with hash functions on this system", reach: .no)
        }

        mutating func update(_ bytes: UnsafeRawBufferPointer) {}

        func finalized() -> Data { Data() }
    }
#endif
