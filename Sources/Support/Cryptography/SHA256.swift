import CCrypto

/// SHA-256 (FIPS 180-4), computed with the libcrypto that libcurl links.
package enum SHA256 {
    /// The length of a digest, in bytes.
    package static let byteCount = 32

    /// Computes the digest of bytes, which has ``byteCount`` bytes.
    package static func digest(of bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { digest(of: $0) } }

    /// Computes the digest of bytes, which has ``byteCount`` bytes.
    ///
    /// The input is read only during the call.
    package static func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { digest, count in
            CCrypto.SHA256(bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, digest.baseAddress)
            count = byteCount
        }
    }
}
