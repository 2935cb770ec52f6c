import CCrypto

/// Hash functions and their message authentication codes, computed with the libcrypto that libcurl links.
///
/// MD5 and SHA-1 are only for the signatures of other services, which prescribe them. Use ``SHA256`` for everything
/// else.
package enum MessageDigest: Sendable {
    /// MD5 (RFC 1321): 16 bytes.
    case md5
    /// SHA-1 (FIPS 180-4): 20 bytes.
    case sha1
    /// SHA-256 (FIPS 180-4): 32 bytes.
    case sha256
    /// SHA-512 (FIPS 180-4): 64 bytes.
    case sha512

    /// Computes the digest of bytes.
    ///
    /// The length depends on the hash function: 16 to 64 bytes.
    package func digest(of bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { digest, count in
            var length: UInt32 = 0
            let result = EVP_Digest(bytes, bytes.count, digest.baseAddress, &length, algorithm, nil)
            // A failure, such as a failed allocation, must not produce a digest that could match.
            // bounded: a failure of libcrypto, not of input
            precondition(result == 1, "libcrypto could not compute a digest")
            count = Int(length)
        }
    }

    /// Computes the HMAC (RFC 2104) of a message.
    package func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { code, count in
            var length: UInt32 = 0
            // bounded: the operator configures keys, with a limit
            let result = HMAC(algorithm, key, Int32(key.count), message, message.count, code.baseAddress, &length)
            // An allocation failure must not produce a valid code.
            // bounded: a failure of libcrypto, not of input
            precondition(result != nil, "libcrypto could not compute an HMAC")
            count = Int(length)
        }
    }

    /// Whether two digests or codes are equal, in constant time.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }

    private var algorithm: OpaquePointer? {
        switch self {
        case .md5: EVP_md5()
        case .sha1: EVP_sha1()
        case .sha256: EVP_sha256()
        case .sha512: EVP_sha512()
        }
    }
}
