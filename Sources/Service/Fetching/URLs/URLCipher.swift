import Encodings
import UntrustedText

/// The keys of encrypted source URLs.
///
/// An encrypted URL is `enc:` and, in base 64 with the alphabet of URLs, a nonce of 12 bytes, the ciphertext and a tag of
/// 16 bytes: AES-256-GCM of the URL. The nonce is the start of an HMAC of the URL, so that equal URLs have equal texts,
/// which caches need, and different URLs have different nonces.
package struct URLCipher: Sendable, Equatable {
    /// The length of a key, in bytes.
    package static let keyBytes = 32
    /// The start of an encrypted URL.
    package static let prefix = "enc:"
    /// The start of the text whose HMAC is the nonce.
    private static let nonceLabel = Array("headroom source nonce\n".utf8)

    private let keys: [AESKey]
    /// The first key, which derives nonces.
    private let nonceKey: [UInt8]

    /// Creates a cipher; nil without keys, and if a key does not have ``keyBytes`` bytes.
    ///
    /// - Parameter keys: The keys that decrypt; the first key encrypts.
    package init?(keys: [[UInt8]]) {
        let parsed = keys.compactMap { $0.count == Self.keyBytes ? AESKey($0) : nil }
        guard let first = keys.first, parsed.count == keys.count else { return nil }
        self.keys = parsed
        nonceKey = first
    }

    /// Whether a text is an encrypted URL, of any key.
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

    /// Decrypts a URL with any of the keys; nil for a text that none of the keys encrypted.
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
