/// What an origin answered: the bytes, not yet looked at, and what it said about them.
///
/// Header fields are nil when they are missing, longer than 1024 bytes, or hold anything but visible ASCII and blanks,
/// so they can be repeated in another answer.
package struct FetchedImage: Sendable {
    /// The body, inflated if the origin compressed it; perhaps empty, perhaps no image at all.
    package let bytes: [UInt8]
    /// Where the bytes came from, after all redirects.
    package let url: SourceURL
    /// `Content-Type`: a claim, for the bytes decide.
    package let contentType: String?
    /// `ETag`, with its quotes and prefix.
    package let etag: String?
    /// `Last-Modified`, as sent.
    package let lastModified: String?
    /// `Cache-Control`, as sent; several fields joined by commas.
    package let cacheControl: String?
    /// How many redirects were followed.
    package let redirects: Int
}
