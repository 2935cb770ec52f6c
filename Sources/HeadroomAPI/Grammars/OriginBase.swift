import Encodings
import Fetching

/// The address below which an origin has its pictures.
package struct OriginBase: Sendable, Hashable {
    /// The address, without a slash at its end.
    private let text: String

    /// Parses an absolute http or https address; nil for other text, and for an address with a query.
    package init?(_ text: String) {
        guard let url = try? SourceURL(text), !url.string.utf8.contains(UInt8(ascii: "?")) else { return nil }
        self.text = url.string.hasSuffix("/") ? String(url.string.dropLast()) : url.string
    }

    /// The address of a picture below this one.
    ///
    /// - Parameter path: A path as sent, with or without a leading slash.
    /// - Returns: Nil if the path could lead out of the base: if it has a backslash or a `.` or `..` segment, even
    ///   encoded, for origins decode paths in different ways.
    func address(of path: some StringProtocol) -> String? {
        guard !path.isEmpty, let decoded = PercentEncoding.decoded(Array(path.utf8)),
            let twice = Self.leniently(decoded)
        else { return nil }
        for text in [decoded, twice] {
            guard !text.utf8.contains(UInt8(ascii: "\\")) else { return nil }
            let segments = text.split(separator: "/", omittingEmptySubsequences: false)
            guard !segments.contains("."), !segments.contains("..") else { return nil }
        }
        return text + (path.hasPrefix("/") ? "" : "/") + SourceText.escaped(String(path))
    }

    /// A path that an origin decodes again; itself where that is impossible.
    private static func leniently(_ text: String) -> String? { PercentEncoding.decoded(Array(text.utf8)) ?? text }
}

extension OriginBase: CustomStringConvertible {
    package var description: String { text }
}
