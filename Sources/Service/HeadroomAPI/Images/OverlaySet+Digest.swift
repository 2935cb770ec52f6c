import Cryptography
import Encodings
package import Requests

extension OverlaySet {
    /// SHA-256 of all stickers and watermarks in hexadecimal digits, so that caches distinguish images of one name.
    ///
    /// Each use hashes all files.
    package var digest: String {
        func digest(_ bytes: [UInt8]) -> String { Hexadecimal.text(SHA256.digest(of: bytes)) }
        return digest(Array(canonicalText(digest: digest).utf8))
    }
}
