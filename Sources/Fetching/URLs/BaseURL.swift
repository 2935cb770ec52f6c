/// The URL below which short addresses are resolved: with `https://example.com/photos`, the address `a.jpg` or `/a.jpg`
/// means `https://example.com/photos/a.jpg`.
package struct BaseURL: Hashable, Sendable {
    /// The URL in normal form, with a slash at its end.
    package let string: String

    /// Parses a base: the URL of a folder on the web, `s3://bucket`, `s3://bucket/prefix`, or `local:///folder`.
    ///
    /// - Throws: ``FetchError/invalidURL(_:)``.
    package init(_ text: String) throws(FetchError) {
        guard !text.contains("?"), !text.contains("#") else {
            throw .invalidURL("a base has no query and no fragment")
        }
        // With a name below it, every base is a complete URL.
        let folder = text.hasSuffix("/") ? text : text + "/"
        string = String(try SourceURL(folder + "x").string.dropLast())
    }

    /// Whether an address has no scheme and no host, like `a.jpg` and `/photos/a.jpg`.
    package static func isShort(_ text: String) -> Bool {
        guard !text.isEmpty, !text.hasPrefix("//") else { return false }
        return !text.prefix { !"/?#".contains($0) }.contains(":")
    }

    /// The URL of a short address.
    ///
    /// - Parameter address: An address of which ``isShort(_:)`` holds, percent-encoded; a query stays a query.
    /// - Returns: A URL whose path is below that of the base, however often it is decoded or shortened once.
    /// - Throws: ``FetchError/invalidURL(_:)`` with a text for the caller, which does not contain the base.
    package func resolved(_ address: String) throws(FetchError) -> SourceURL {
        let relative = address.drop { $0 == "/" }
        _ = try PathText.decoded(relative.prefix { $0 != "?" && $0 != "#" }, atMost: URLText.maxLength)
        let url = try SourceURL(string + relative)
        guard url.string.utf8.starts(with: string.utf8) else { throw .invalidURL("the path leaves its folder") }
        return url
    }
}
