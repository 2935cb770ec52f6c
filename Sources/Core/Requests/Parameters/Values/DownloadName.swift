import UntrustedText
import Encodings

/// The file name that browsers use to save a response.
package struct DownloadName: Hashable, Sendable {
    /// The maximum length of a name in Unicode characters.
    ///
    /// They are at most 240 bytes of UTF-8, which is less than the 255 bytes of most file systems.
    static let maxCharacters = 60

    /// The form of a name, for messages.
    static let form =
        "true for the name of the source, or the name of a file, 1 to \(maxCharacters) characters without / \\ : * ? \" < > |, without control and formatting "
        + "characters, and without a dot or space at its beginning or end"

    /// Extensions that the extension of the output replaces.
    private static let extensions: Set<String> = [
        "jpg", "jpeg", "png", "webp", "avif", "gif", "heic", "heif", "jxl", "tiff", "tif", "bmp", "ico", "json", "html",
        "zip",
    ]

    /// Characters that are not allowed at the start or end of a name.
    ///
    /// Windows removes them at the end, and a leading dot hides the file.
    private static let ends: [Unicode.Scalar] = [".", " "]

    private enum Content: Hashable {
        /// The name without a known extension.
        case stem(String)
        /// The name of the source.
        case source
        /// No name, because the response should not be saved.
        case none
    }

    private let content: Content

    /// The name used if the source does not have a usable name.
    private static let nameless = "image"

    /// Parses a name or a Boolean, where true means the name of the source; nil for other text.
    init?(_ text: String) {
        if let isWanted = BooleanText.value(text) {
            content = isWanted ? .source : .none
            return
        }
        guard let stem = Self.stem(text) else { return nil }
        content = .stem(stem)
    }

    /// Returns a name without its known extension; nil for other text.
    private static func stem(_ text: String) -> String? {
        guard text.utf8.count <= 4 * maxCharacters, (1...maxCharacters).contains(text.unicodeScalars.count),
            text.unicodeScalars.allSatisfy(isSafe),
            let first = text.unicodeScalars.first, let last = text.unicodeScalars.last,
            !ends.contains(first), !ends.contains(last)
        else { return nil }
        let parts = text.bytes.split(separator: ".", omittingEmptySubsequences: false)
        let end = parts[parts.count - 1]
        let isKnown = parts.count > 1 && end.bytes.isWord(atMost: 4) && extensions.contains(end.bytes.lowercased())
        let stem = isKnown ? parts.dropLast().joined(separator: ".") : text
        guard let final = stem.unicodeScalars.last, !ends.contains(final) else { return nil }
        return stem
    }

    /// Converts a text to a similar valid name.
    ///
    /// Other characters become `_`; nil if no character is left.
    package static func cleaned(_ text: String) -> String? {
        var scalars = Array(
            text.unicodeScalars.lazy.map { isSafe($0) ? $0 : "_" }.drop { ends.contains($0) }
                .prefix(maxCharacters)
        )
        while let last = scalars.last, ends.contains(last) { scalars.removeLast() }
        let name = String(String.UnicodeScalarView(scalars))
        return stem(name) == nil ? nil : name
    }

    /// Whether a character does not have a special meaning in paths, shells and displays.
    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: !"/\\:*?\"<>|".unicodeScalars.contains(scalar)
        }
    }

    /// Returns the value of `Content-Disposition` (RFC 6266).
    ///
    /// If the name is not plain ASCII, the value also contains it in UTF-8 (RFC 8187).
    ///
    /// The extension is the extension of the response's format, and the value is printable ASCII. Nil if the request
    /// does not ask for a name.
    ///
    /// - Parameters:
    ///   - fileExtension: The extension of the response's format.
    ///   - source: The file name of the source, which may be any text; nil for none.
    /// - Returns: The value; nil if no name is requested.
    package func disposition(_ fileExtension: String, source: String?) -> String? {
        let stem: String
        switch content {
        case .stem(let text): stem = text
        case .source: stem = source.flatMap(Self.cleaned).flatMap(Self.stem) ?? Self.nameless
        case .none: return nil
        }
        let name = "\(stem).\(fileExtension)"
        // Some browsers decode text that looks like percent-encoding (RFC 6266, appendix D).
        let plain = String(String.UnicodeScalarView(name.unicodeScalars.map { $0.isASCII && $0 != "%" ? $0 : "_" }))
        guard plain.bytes != name.bytes else { return "attachment; filename=\"\(name)\"" }
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(PercentEncoding.encoded(name))"
    }
}
