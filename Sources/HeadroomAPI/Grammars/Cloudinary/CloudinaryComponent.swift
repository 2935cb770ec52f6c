import Encodings

/// One component of a Cloudinary transformation, such as `c_fill,g_face,h_200,w_300`.
struct CloudinaryComponent {
    /// The component as sent.
    let text: String
    private let values: [String: String]

    /// Parses a component.
    ///
    /// - Throws: A ``Problem`` with status 400 for a part that is no option, and 501 for one that is not supported.
    init(_ text: String) throws(Problem) {
        guard let decoded = PercentEncoding.decoded(Array(text.utf8)), !decoded.isEmpty else {
            throw .invalid(option: text, expected: "a transformation in percent-encoded UTF-8")
        }
        var values: [String: String] = [:]
        for part in decoded.split(separator: ",", omittingEmptySubsequences: false) {
            guard let (key, value) = Self.split(part) else {
                throw .invalid(option: String(part), expected: "an option of Cloudinary, such as w_300")
            }
            guard Self.supported.contains(key) else { throw .unsupported(option: String(part)) }
            values[key] = value
        }
        self.text = text
        self.values = values
    }

    subscript(_ key: String) -> String? { values[key] }

    /// Whether the component changes size or crop.
    var isResize: Bool { Self.resizing.contains { values[$0] != nil } }

    /// Whether a segment of a path is a component rather than a folder's name.
    static func isComponent(_ segment: String) -> Bool {
        let decoded = PercentEncoding.decoded(Array(segment.utf8)) ?? segment
        return decoded.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { split($0) != nil }
    }

    /// A key that Cloudinary has, and its value.
    private static func split(_ part: Substring) -> (key: String, value: String)? {
        guard let mark = part.firstIndex(of: "_") else { return nil }
        let (key, value) = (String(part[..<mark]), String(part[part.index(after: mark)...]))
        guard !value.isEmpty, supported.contains(key) || unsupported.contains(key) || key.hasPrefix("$") else {
            return nil
        }
        return (key, value)
    }

    private static let resizing = ["c", "w", "h", "ar"]

    private static let supported: Set<String> = [
        "c", "w", "h", "ar", "g", "x", "y", "z", "dpr", "q", "f", "fl", "b", "a", "cs", "dn",
    ]

    private static let unsupported: Set<String> = [
        "bo", "br", "co", "d", "dl", "du", "e", "eo", "fn", "fps", "h_mul", "if", "ki", "l", "o", "p", "pg", "r", "so",
        "sp", "t", "u", "vc", "vs",
    ]
}
