/// What is had already, so that an origin need not send it again (RFC 9110 §13.1).
package struct FetchConditions: Hashable, Sendable {
    /// Where the bytes came from, after all redirects: no other address is asked with these conditions.
    let url: SourceURL
    let etag: String?
    let lastModified: String?

    /// Conditions of what was fetched before; nil when the origin gave nothing to tell it by.
    ///
    /// - Parameters:
    ///   - url: After all redirects.
    ///   - etag: As the origin sent it: visible ASCII.
    ///   - lastModified: The same.
    package init?(url: SourceURL, etag: String?, lastModified: String?) {
        guard etag != nil || lastModified != nil else { return nil }
        self.url = url
        self.etag = etag
        self.lastModified = lastModified
    }

    /// The fields of the request.
    ///
    /// Both are sent where both are known: a server that knows tags goes by those (§13.2.2).
    var fields: [String] {
        (etag.map { ["If-None-Match: \($0)"] } ?? []) + (lastModified.map { ["If-Modified-Since: \($0)"] } ?? [])
    }
}
