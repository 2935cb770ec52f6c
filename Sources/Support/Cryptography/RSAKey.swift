import CCrypto

/// A private RSA key for signatures with SHA-256 (RSASSA-PKCS1-v1_5, RFC 8017).
///
/// It uses the libcrypto that libcurl links.
package struct RSAKey: Hashable, Sendable {
    /// The maximum length of a PEM key, in bytes.
    private static let maxBytes = 32_768

    private let pem: [UInt8]

    /// Parses a PEM key without a passphrase; nil for other text, and for keys that are not RSA keys.
    package init?(pem text: String) {
        guard text.utf8.count <= Self.maxBytes else { return nil }
        pem = Array(text.utf8)
        guard let key = loaded() else { return nil }
        EVP_PKEY_free(key)
    }

    /// Returns the signature of bytes; nil if libcrypto cannot sign.
    package func signature(of bytes: [UInt8]) -> [UInt8]? {
        guard let key = loaded(), let context = EVP_MD_CTX_new() else { return nil }
        defer {
            EVP_MD_CTX_free(context)
            EVP_PKEY_free(key)
        }
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1 else { return nil }
        var count = 0
        guard EVP_DigestSign(context, nil, &count, bytes, bytes.count) == 1, 1...4096 ~= count else { return nil }
        var signature = [UInt8](repeating: 0, count: max(0, count))
        guard EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1 else { return nil }
        return Array(signature.prefix(count))
    }

    /// Returns the key, which the caller must free.
    private func loaded() -> OpaquePointer? {
        pem.withUnsafeBytes { pem in
            guard let input = BIO_new_mem_buf(pem.baseAddress, Int32(clamping: pem.count)) else { return nil }
            defer { BIO_free(input) }
            // Without this callback, libcrypto would ask for a passphrase on the terminal.
            guard let key = PEM_read_bio_PrivateKey(input, nil, { _, _, _, _ in -1 }, nil) else {
                ERR_clear_error()
                return nil
            }
            guard EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else {
                EVP_PKEY_free(key)
                return nil
            }
            return key
        }
    }
}
