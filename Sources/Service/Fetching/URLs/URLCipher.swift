import Cryptography
import Encodings
import UntrustedText

/// The keys for encrypted source URLs.
///
/// An encrypted URL is `enc:`, followed by the URL-safe Base64 of a nonce of 12 bytes, the ciphertext and a tag of 16
/// bytes (AES-256-GCM). The nonce is the start of an HMAC of the URL. Equal URLs therefore have equal texts, which
/// caches need, and different URLs have different nonces.
package struct URLCipher: Sendable, Equatable {
    /// The length of a key, in bytes.
    package static let keyBytes = 32
    /// The start of an encrypted URL.
    package static let prefix = "enc:"
    /// The start of the text whose HMAC gives the nonce.
    private static let nonceLabel = Array("headroom source nonce\n".utf8)

    private let keys: [AESKey]
    /// The first key, which is used to derive nonces.
    private let nonceKey: [UInt8]

    /// Creates a cipher; nil without keys, or if a key does not have ``keyBytes`` bytes.
    ///
    /// - Parameter keys: The decryption keys; the first key also encrypts.
    package init?(keys: [[UInt8]]) {
        let parsed = keys.compactMap { $0.count == Self.keyBytes ? AESKey($0) : nil }
        guard let first = keys.first, parsed.count == keys.count else { return nil }
        self.keys = parsed
        nonceKey = first
    }

    /// Whether a text is an encrypted URL, encrypted with any key.
    package static func isEncrypted(_ text: String) -> Bool { text.bytes.hasPrefix(prefix) }

    /// Encrypts a URL; nil if it is empty or too long.
    package func sealed(_ url: String) -> String? {
        guard let key = keys.first, url.utf8.count <= URLText.maxLength else { return nil }
        let code = MessageDigest.sha256.authenticationCode(of: Self.nonceLabel + url.utf8, key: nonceKey)
        guard let bytes = key.sealedGCM(Array(url.utf8), nonce: Array(code.prefix(AESKey.nonceBytes))) else {
            return nil
        }
        let text = Base64.text(bytes).bytes.prefix(before: "=")
        return Self.prefix + text
    }

    /// Decrypts a URL with any of the keys; nil if the text was not encrypted with one of them.
    package func opened(_ text: String) -> String? {
        guard Self.isEncrypted(text), let bytes = Base64.bytes(text.utf8.dropFirst(Self.prefix.utf8.count)) else {
            return nil
        }
        for key in keys {
            if let url = key.openedGCM(bytes) { return String(validating: url, as: UTF8.self) }
        }
        return nil
    }

    package static func == (left: URLCipher, right: URLCipher) -> Bool { left.keys == right.keys }
}

extension URLCipher: CustomStringConvertible, CustomReflectable {
    package var description: String { "keys" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
