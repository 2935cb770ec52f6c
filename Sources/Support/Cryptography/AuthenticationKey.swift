import CCrypto

/// An HMAC-SHA-256 key (RFC 2104) whose two blocks are hashed only once.
///
/// The code of a short message then takes a sixth of the time of ``MessageDigest/authenticationCode(of:key:)``, which
/// looks up its algorithm and hashes the key in each call.
///
/// Unchecked because, after the initialiser, the contexts are only copied, which libcrypto allows on any thread.
package final class AuthenticationKey: @unchecked Sendable {
    private static let blockBytes = 64

    /// The hash states after the inner and the outer block of the key.
    private let inner: OpaquePointer
    private let outer: OpaquePointer

    /// Creates a key of any length.
    package init(_ key: [UInt8]) {
        let short = key.count > Self.blockBytes ? SHA256.digest(of: key) : key
        // bounded: a digest is shorter than a block
        let block = short + [UInt8](repeating: 0, count: Self.blockBytes - short.count)
        inner = Self.context(after: block.map { $0 ^ 0x36 })
        outer = Self.context(after: block.map { $0 ^ 0x5C })
    }

    deinit {
        EVP_MD_CTX_free(inner)
        EVP_MD_CTX_free(outer)
    }

    /// Computes the code of a message, which has 32 bytes.
    package func code(of message: [UInt8]) -> [UInt8] {
        let scratch = Self.context()
        defer { EVP_MD_CTX_free(scratch) }
        return code(of: message, scratch)
    }

    /// Returns the index of the first key whose code for a message equals a given code; nil if no key matches.
    ///
    /// Each comparison is in constant time.
    package static func firstIndex(
        in keys: some Collection<AuthenticationKey>,
        of code: [UInt8],
        for message: [UInt8]
    ) -> Int? {
        let scratch = context()
        defer { EVP_MD_CTX_free(scratch) }
        for (index, key) in keys.enumerated() where MessageDigest.areEqual(key.code(of: message, scratch), code) {
            return index
        }
        return nil
    }

    private func code(of message: [UInt8], _ scratch: OpaquePointer) -> [UInt8] {
        Self.finish(outer, Self.finish(inner, message, scratch), scratch)
    }

    /// Computes the digest of the bytes that a context has already hashed, followed by other bytes.
    private static func finish(_ start: OpaquePointer, _ bytes: [UInt8], _ scratch: OpaquePointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { digest, count in
            let isCopied = EVP_MD_CTX_copy_ex(scratch, start) == 1
            let isHashed = EVP_DigestUpdate(scratch, bytes, bytes.count) == 1
            // A failure, such as a failed allocation, must not produce a digest that could match.
            // bounded: a failure of libcrypto, not of input
            precondition(
                isCopied && isHashed && EVP_DigestFinal_ex(scratch, digest.baseAddress, nil) == 1,
                "libcrypto could not compute an HMAC"
            )
            count = SHA256.byteCount
        }
    }

    private static func context() -> OpaquePointer {
        // bounded: does not depend on input
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
        return context
    }

    private static func context(after block: [UInt8]) -> OpaquePointer {
        let context = context()
        // bounded: a failure of libcrypto, not of input
        precondition(
            EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 && EVP_DigestUpdate(context, block, block.count) == 1,
            "libcrypto could not hash a key"
        )
        return context
    }
}
