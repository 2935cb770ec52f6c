/// Validators for a conditional request (RFC 9110 §13.1).
package struct FetchConditions: Hashable, Sendable {
    /// The final URL of the cached bytes.
    ///
    /// The validators are not sent to any other URL.
    let url: SourceURL
    let etag: String?
    let lastModified: String?

    /// Creates the validators from an earlier response; nil if it did not have validators.
    ///
    /// - Parameters:
    ///   - url: The final URL, after all redirects.
    ///   - etag: The origin's entity tag, which is visible ASCII.
    ///   - lastModified: The origin's modification date, which is visible ASCII.
    package init?(url: SourceURL, etag: String?, lastModified: String?) {
        guard etag != nil || lastModified != nil else { return nil }
        self.url = url
        self.etag = etag
        self.lastModified = lastModified
    }

    /// The fields of the request.
    ///
    /// Both validators are sent if both are known; a server that supports entity tags ignores the date (§13.2.2).
    var fields: [String] {
        (etag.map { ["If-None-Match: \($0)"] } ?? []) + (lastModified.map { ["If-Modified-Since: \($0)"] } ?? [])
    }
}
