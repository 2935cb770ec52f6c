import CCrypto

/// Digests of other services' signatures, with the libcrypto that libcurl links.
///
/// MD5 and SHA-1 are only for formats that prescribe them; see ``SHA256`` for everything else.
enum MessageDigest {
    /// MD5 (RFC 1321): 16 bytes.
    case md5
    /// SHA-1 (FIPS 180-4): 20 bytes.
    case sha1
    /// SHA-256 (FIPS 180-4): 32 bytes.
    case sha256

    /// The digest of some bytes.
    func digest(of bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { digest, count in
            var length: UInt32 = 0
            let result = EVP_Digest(bytes, bytes.count, digest.baseAddress, &length, algorithm, nil)
            // A failure, such as an allocation's, must not produce a digest that could match.
            precondition(result == 1, "libcrypto could not compute a digest")
            count = Int(length)
        }
    }

    private var algorithm: OpaquePointer? {
        switch self {
        case .md5: EVP_md5()
        case .sha1: EVP_sha1()
        case .sha256: EVP_sha256()
        }
    }
}
