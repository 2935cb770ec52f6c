import Cryptography
import Encodings
package import Requests

extension PresetSet {
    /// SHA-256 of all presets in hexadecimal digits, so that cached responses are not used after a change; empty without
    /// presets.
    package var digest: String {
        isEmpty ? "" : Hexadecimal.text(SHA256.digest(of: Array(canonicalText.utf8)))
    }
}
