import UntrustedText

/// The base of relative URLs.
///
/// With `https://example.com/photos`, both `a.jpg` and `/a.jpg` mean `https://example.com/photos/a.jpg`.
package struct BaseURL: Hashable, Sendable {
    /// The URL in normal form, with a slash at its end.
    package let string: String

    /// Parses a base: the URL of a folder on the web, `s3://bucket`, `s3://bucket/prefix`, or `local:///folder`.
    ///
    /// - Throws: ``FetchError/invalidURL(_:)``.
    package init(_ text: String) throws(FetchError) {
        guard !text.bytes.contains("?"), !text.bytes.contains("#") else {
            throw .invalidURL("a base URL must not have a query or fragment")
        }
        // With a name appended, every base is a complete URL.
        let folder = text.bytes.hasSuffix("/") ? text : text + "/"
        string = String(try SourceURL(folder + "x").string.dropLast())
    }

    /// Whether a URL lacks scheme and host, like `a.jpg` and `/photos/a.jpg`.
    package static func isShort(_ text: String) -> Bool {
        guard !text.isEmpty, !text.bytes.hasPrefix("//") else { return false }
        return !text.bytes.prefix(before: "/?#").bytes.contains(":")
    }

    /// Resolves a relative URL (``isShort(_:)``), which is percent-encoded.
    ///
    /// Its query is preserved.
    ///
    /// The path of the result is below the path of the base, even after repeated decoding
    /// (``PathText/mayLeaveFolder(_:)``).
    ///
    /// - Throws: ``FetchError/invalidURL(_:)`` with a text for the caller, which does not contain the base.
    package func resolved(_ address: String) throws(FetchError) -> SourceURL {
        try URLText.check(address, allowsSpaces: true)
        let bytes = WebText.escaped(address.utf8.drop { $0 == UInt8(ascii: "/") })
        let relative = Substring(decoding: bytes, as: UTF8.self)
        _ = try PathText.decoded(relative.bytes.prefix(before: "?#"), atMost: URLText.maxLength)
        let url = try SourceURL(string + relative)
        guard url.string.utf8.starts(with: string.utf8) else { throw .invalidURL("the path leaves its folder") }
        return url
    }
}
