import CCrypto

/// SHA-256 (FIPS 180-4) and HMAC-SHA256, with the libcrypto that libcurl links.
package enum SHA256 {
    /// The length of a digest and of an authentication code, in bytes.
    package static let byteCount = 32

    /// The digest of some bytes.
    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { digest, count in
            CCrypto.SHA256(bytes, bytes.count, digest.baseAddress)
            count = byteCount
        }
    }

    /// The digest of some bytes.
    package static func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { digest, count in
            CCrypto.SHA256(bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, digest.baseAddress)
            count = byteCount
        }
    }

    /// The authentication code of a message: HMAC-SHA256 (RFC 2104).
    package static func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { code, count in
            let result = HMAC(
                EVP_sha256(),
                key,
                Int32(key.count),
                message,
                message.count,
                code.baseAddress,
                nil
            )
            // An allocation failure must not produce a valid code.
            precondition(result != nil, "libcrypto could not compute an HMAC")
            count = byteCount
        }
    }

    /// Whether two digests are equal, in constant time.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
