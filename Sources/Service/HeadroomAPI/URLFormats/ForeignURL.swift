/// The unchanged URL of a request below the prefix of a URL format.
package struct ForeignURL: Sendable {
    /// The encoded path after the prefix, starting with its slash.
    package let path: String
    /// The raw query; nil without a query.
    package let query: String?

    /// Creates a URL from its parts below a prefix.
    ///
    /// - Parameters:
    ///   - path: The encoded path after the prefix, starting with its slash.
    ///   - query: The raw query, without `?`; nil without a query.
    package init(path: String, query: String? = nil) {
        self.path = path
        self.query = query
    }

    /// Creates the URL for an encoded path below the prefix of a URL format.
    package init(_ name: URLFormatName, path: String, query: String?) {
        self.init(path: String(path.utf8.dropFirst(name.prefix.utf8.count)) ?? "/", query: query)
    }
}
