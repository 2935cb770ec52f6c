import Encodings
import Fetching
import HeadroomAPI
import Requests
import UntrustedText

/// The base URL of the images of an origin.
package struct OriginBase: Sendable, Hashable {
    /// The URL, without a slash at its end.
    private let text: String

    /// Parses an absolute http or https URL; nil for other text, and for a URL with a query.
    package init?(_ text: String) {
        guard let url = try? SourceURL(text), !url.string.utf8.contains(UInt8(ascii: "?")) else { return nil }
        self.text = url.string.bytes.hasSuffix("/") ? String(url.string.dropLast()) : url.string
    }

    /// The percent-encoded URL of an image below this base; problems contain `option`, or the path.
    ///
    /// - Throws: A ``Problem`` with status 400 if the path is empty or is not percent-encoded UTF-8, or if it could
    ///   lead outside the base in any decoding by an origin: if it contains a backslash or a `.` or `..` segment in any
    ///   encoding.
    func address(of path: some TextSlice, option: String? = nil) throws(Problem) -> String {
        guard !path.isEmpty, PercentEncoding.decoded(Array(path.utf8)) != nil, !PathText.mayLeaveFolder(path.utf8),
            !PathText.hasBackslash(path.utf8)
        else {
            let expected = "a path without . and .. segments and backslashes"
            throw .invalid(option: option ?? String(path), expected: expected)
        }
        return text + (path.bytes.hasPrefix("/") ? "" : "/") + SourceText.escaped(String(path))
    }
}

extension OriginBase: CustomStringConvertible {
    package var description: String { text }
}
