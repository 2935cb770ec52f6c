/// The unchanged URL of a request below the prefix of a URL format.
package struct ForeignURL: Sendable {
    /// The raw path after the prefix, from its slash.
    package let path: String
    /// The raw query; nil without a query.
    package let query: String?

    /// An unchanged URL below a prefix.
    ///
    /// - Parameters:
    ///   - path: The raw path after the prefix, from its slash.
    ///   - query: The raw query, without `?`; nil without a query.
    package init(path: String, query: String? = nil) {
        self.path = path
        self.query = query
    }

    /// The URL of a raw path below the prefix of a URL format.
    package init(_ name: URLFormatName, path: String, query: String?) {
        self.init(path: String(path.utf8.dropFirst(name.prefix.utf8.count)) ?? "/", query: query)
    }
}
