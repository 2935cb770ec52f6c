import Encodings
import HeadroomAPI

extension BatchConfiguration {
    /// A digest of all settings that results depend on: with other ones, an earlier run cannot go on.
    var settingsDigest: String {
        let pairs = parameters.map { "\($0.name)=\($0.value)" }.sorted()
        let lines = ["\(ResponseKey.version)", target.word, name?.text ?? "", overlays.digest] + conditions + pairs
        return Hexadecimal.text(SHA256.digest(of: Array(lines.joined(separator: "\n").utf8)))
    }
}
