import Encodings
import HeadroomAPI
import Requests
import UntrustedText

/// One component of a Cloudinary transformation, such as `c_fill,g_face,h_200,w_300`.
struct CloudinaryComponent {
    let text: String
    private(set) var options = AddressOptions(mark: "_", unicode: ["fl"])

    /// Parses a component.
    ///
    /// - Throws: A ``Problem`` with status 400 for a part that is not an option, and 501 for an unsupported option.
    init(_ text: String) throws(Problem) {
        guard let decoded = PercentEncoding.decoded(Array(text.utf8)), !decoded.isEmpty else {
            throw .invalid(option: text, expected: "a transformation in percent-encoded UTF-8")
        }
        self.text = text
        for part in decoded.bytes.split(separator: ",", omittingEmptySubsequences: false) {
            guard let (key, value) = Self.split(part) else {
                throw .invalid(option: String(part), expected: "an option of Cloudinary, such as w_300")
            }
            // Only file names may contain characters beyond ASCII.
            guard Self.supported.contains(key), key == "fl" || value.bytes.isASCII else {
                let long = key.bytes.hasPrefix("$") ? "variable" : Self.unsupported[key]
                throw .unsupported(option: long.map { "\(part) (\($0))" } ?? String(part))
            }
            try options.set(key, value)
        }
    }

    subscript(_ key: String) -> String? { options[key] }

    /// Whether the component changes size or crop.
    var isResize: Bool { ["c", "w", "h", "ar"].contains { options[$0] != nil } }

    /// Whether a segment of a path is a component rather than a folder's name.
    static func isComponent(_ segment: String) -> Bool {
        let decoded = PercentEncoding.decoded(Array(segment.utf8)) ?? segment
        return decoded.bytes.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { split($0) != nil }
    }

    /// Splits `KEY_VALUE`; nil if the key does not exist in Cloudinary, or if the value is empty.
    private static func split(_ part: Substring) -> (key: String, value: String)? {
        guard let mark = part.utf8.firstIndex(of: UInt8(ascii: "_")), part[..<mark].bytes.isWord(atMost: maxKeyBytes)
        else { return nil }
        let (key, value) = (String(part[..<mark]), String(part[part.utf8.index(after: mark)...]))
        guard !value.isEmpty, supported.contains(key) || unsupported[key] != nil || key.bytes.hasPrefix("$") else {
            return nil
        }
        return (key, value)
    }

    /// The maximum length of a key in bytes; keys of variables have this length.
    private static let maxKeyBytes = 128

    /// All keys, supported or not.
    static var keys: [String] { supported.sorted() + unsupported.keys.sorted() }

    private static let supported: Set<String> = [
        "c", "w", "h", "ar", "g", "x", "y", "z", "dpr", "q", "f", "fl", "b", "a", "cs", "d", "dn", "e", "r",
    ]

    /// Keys that are not supported, with their long names.
    private static let unsupported = [
        "ac": "audio codec", "af": "audio frequency", "bo": "border", "br": "bit rate", "co": "color", "dl": "delay",
        "du": "duration", "eo": "end offset", "fn": "custom function", "fps": "frames per second",
        "h_mul": "expression", "if": "condition", "ki": "keyframe interval", "l": "overlay", "o": "opacity",
        "p": "prefix", "pg": "page", "so": "start offset", "sp": "streaming profile", "t": "named transformation",
        "u": "underlay", "vc": "video codec", "vs": "video sampling",
    ]
}
