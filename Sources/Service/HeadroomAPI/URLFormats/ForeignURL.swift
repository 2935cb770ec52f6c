/// The address of a request below a grammar's prefix, as it was sent.
package struct ForeignURL: Sendable {
    /// The raw path after the prefix, from its slash.
    package let path: String
    /// The raw query; nil if there is none.
    package let query: String?

    /// An address below a prefix, as it was sent.
    ///
    /// - Parameters:
    ///   - path: The raw path after the prefix, from its slash.
    ///   - query: The raw query, without `?`; nil if there is none.
    package init(path: String, query: String? = nil) {
        self.path = path
        self.query = query
    }

    /// The address of a raw path below the prefix of a URL format.
    package init(_ name: URLFormatName, path: String, query: String?) {
        self.init(path: String(path.utf8.dropFirst(name.prefix.utf8.count)) ?? "/", query: query)
    }
}
