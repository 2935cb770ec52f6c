import CCrypto

/// A key of the Advanced Encryption Standard (FIPS 197): 128, 192 or 256 bits.
///
/// Descriptions and reflection do not reveal it.
package struct AESKey: Sendable {
    /// The accepted lengths of a key, in bytes.
    package static let lengths: Set<Int> = [16, 24, 32]
    /// The length of a GCM nonce and of a GCM authentication tag, in bytes.
    package static let nonceBytes = 12, tagBytes = 16
    /// The length of a block and of a CBC initialization vector, in bytes.
    package static let blockBytes = 16
    /// The maximum length of a text, in bytes.
    private static let maxBytes = 1 << 20

    /// Buffer space for a block or a tag.
    // bounded: a constant
    private static let room = [UInt8](repeating: 0, count: 16)

    private let bytes: [UInt8]

    /// Creates a key; nil for a length that is not in ``lengths``.
    package init?(_ bytes: [UInt8]) {
        guard Self.lengths.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Encrypts and authenticates a text with GCM (NIST SP 800-38D).
    ///
    /// - Parameters:
    ///   - text: The text, which must not be empty and has at most 1 MiB.
    ///   - nonce: ``nonceBytes`` bytes, which must be different for each text that is encrypted with the key.
    /// - Returns: The nonce, the ciphertext, and the tag; nil for invalid lengths.
    package func sealedGCM(_ text: [UInt8], nonce: [UInt8]) -> [UInt8]? {
        guard nonce.count == Self.nonceBytes, 1...Self.maxBytes ~= text.count else { return nil }
        let context = CipherContext()
        guard EVP_EncryptInit_ex(context.handle, gcm, nil, bytes, nonce) == 1,
            let body = context.update(text, EVP_EncryptUpdate)
        else { return nil }
        var (rest, tag) = (Self.room, Self.room)
        var count: Int32 = 0
        guard EVP_EncryptFinal_ex(context.handle, &rest, &count) == 1,
            EVP_CIPHER_CTX_ctrl(context.handle, EVP_CTRL_AEAD_GET_TAG, Int32(clamping: tag.count), &tag) == 1
        else { return nil }
        return nonce + body + tag
    }

    /// Decrypts the output of ``sealedGCM(_:nonce:)``; nil if the key or the text is wrong, or if the text is empty.
    package func openedGCM(_ text: [UInt8]) -> [UInt8]? {
        let overhead = Self.nonceBytes + Self.tagBytes
        guard text.count > overhead, text.count <= Self.maxBytes else { return nil }
        let nonce = Array(text.prefix(Self.nonceBytes))
        var tag = Array(text.suffix(Self.tagBytes))
        let context = CipherContext()
        guard EVP_DecryptInit_ex(context.handle, gcm, nil, bytes, nonce) == 1,
            let body = context.update(
                Array(text.dropFirst(Self.nonceBytes).dropLast(Self.tagBytes)),
                EVP_DecryptUpdate
            ),
            EVP_CIPHER_CTX_ctrl(context.handle, EVP_CTRL_AEAD_SET_TAG, Int32(clamping: tag.count), &tag) == 1
        else { return nil }
        var rest = Self.room
        var count: Int32 = 0
        return EVP_DecryptFinal_ex(context.handle, &rest, &count) == 1 ? body : nil
    }

    /// Decrypts a CBC ciphertext that follows its initialization vector and has PKCS #7 padding (RFC 5652 §6.3).
    ///
    /// CBC does not authenticate, so a wrong key or text can produce any bytes. The time does not depend on the
    /// padding.
    ///
    /// - Returns: The text; nil for an invalid length or padding.
    package func openedCBC(_ text: [UInt8]) -> [UInt8]? {
        guard text.count >= 2 * Self.blockBytes, text.count % Self.blockBytes == 0, text.count <= Self.maxBytes else {
            return nil
        }
        let context = CipherContext()
        guard EVP_DecryptInit_ex(context.handle, cbc, nil, bytes, Array(text.prefix(Self.blockBytes))) == 1,
            EVP_CIPHER_CTX_set_padding(context.handle, 0) == 1,
            let body = context.update(Array(text.dropFirst(Self.blockBytes)), EVP_DecryptUpdate),
            body.count == text.count - Self.blockBytes
        else { return nil }
        let length = Int(body.last ?? 0)
        // The code does not branch on the bytes, because a time difference would reveal the text (padding oracle). A
        // negative number has the sign bit that the shifts extract.
        var wrong = (length - 1) >> 63 | (Self.blockBytes - length) >> 63
        for (index, byte) in body.suffix(Self.blockBytes).reversed().enumerated() {
            wrong |= ((index - length) >> 63) & (Int(byte) ^ length)
        }
        let result = Array(body.prefix(max(0, body.count - length)))
        return wrong == 0 ? result : nil
    }

    private var gcm: OpaquePointer? {
        switch bytes.count {
        case 16: EVP_aes_128_gcm()
        case 24: EVP_aes_192_gcm()
        default: EVP_aes_256_gcm()
        }
    }

    private var cbc: OpaquePointer? {
        switch bytes.count {
        case 16: EVP_aes_128_cbc()
        case 24: EVP_aes_192_cbc()
        default: EVP_aes_256_cbc()
        }
    }
}

extension AESKey: Equatable {
    /// Whether two keys are equal, in constant time.
    package static func == (left: AESKey, right: AESKey) -> Bool { MessageDigest.areEqual(left.bytes, right.bytes) }
}

extension AESKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "a key" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The state of one encryption or decryption.
private struct CipherContext: ~Copyable {
    let handle: OpaquePointer

    init() {
        // bounded: does not depend on input
        guard let handle = EVP_CIPHER_CTX_new() else { preconditionFailure("out of memory") }
        self.handle = handle
    }

    deinit { EVP_CIPHER_CTX_free(handle) }

    /// Passes bytes through the cipher; nil if libcrypto fails.
    func update(
        _ bytes: [UInt8],
        _ update: (
            OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int32>?, UnsafePointer<UInt8>?, Int32
        )
            -> Int32
    ) -> [UInt8]? {
        var isDone = false
        let result = [UInt8](unsafeUninitializedCapacity: bytes.count + AESKey.blockBytes) { output, count in
            var length: Int32 = 0
            // bounded: at most AESKey.maxBytes
            isDone = update(handle, output.baseAddress, &length, bytes, Int32(bytes.count)) == 1
            count = isDone ? Int(length) : 0
        }
        return isDone ? result : nil
    }
}
