import CCrypto

/// HMAC (RFC 2104) with the hash functions of other services, with the libcrypto that libcurl links.
enum MessageAuthentication {
    /// A hash function.
    enum Hash: Sendable {
        case sha1, sha256, sha512
    }

    /// The authentication code of a message.
    static func code(of message: [UInt8], key: [UInt8], _ hash: Hash) -> [UInt8] {
        let (function, length) =
            switch hash {
            case .sha1: (EVP_sha1(), 20)
            case .sha256: (EVP_sha256(), 32)
            case .sha512: (EVP_sha512(), 64)
            }
        return [UInt8](unsafeUninitializedCapacity: length) { code, count in
            let result = HMAC(function, key, Int32(key.count), message, message.count, code.baseAddress, nil)
            // An allocation failure must not produce a valid code.
            precondition(result != nil, "libcrypto could not compute an HMAC")
            count = length
        }
    }

    /// Whether two codes are equal, in constant time.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
