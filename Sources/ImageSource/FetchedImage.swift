/// What an origin answered: the bytes, not yet looked at, and what it said about them.
///
/// Header fields are nil when they are missing, longer than 1024 bytes, or hold anything but visible ASCII and blanks,
/// so they can be repeated in another answer.
package struct FetchedImage: Sendable {
    /// The body, inflated if the origin compressed it; perhaps empty, perhaps no image at all.
    package let bytes: [UInt8]
    /// Whether the origin answered 304, so that the bytes are those that were had before; there are none here.
    package let isUnchanged: Bool
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
    /// `Expires` in seconds since 1970; 0, which is long ago, when it is no date.
    package let expires: Int?
    /// `Date` in seconds since 1970.
    package let date: Int?
    /// `Age`: the seconds for which a cache on the way has had the answer.
    package let age: Int?
    /// How many redirects were followed.
    package let redirects: Int
}

extension FetchedImage {
    init(_ receiver: ResponseReceiver, isUnchanged: Bool, url: SourceURL, redirects: Int) {
        let header = receiver.header
        bytes = isUnchanged ? [] : receiver.body
        self.isUnchanged = isUnchanged
        self.url = url
        contentType = header.repeatable(.contentType)
        etag = header.repeatable(.etag)
        lastModified = header.repeatable(.lastModified)
        cacheControl = header.repeatable(.cacheControl)
        expires = header.repeatable(.expires).map { HTTPDate.seconds($0) ?? 0 }
        date = header.repeatable(.date).flatMap(HTTPDate.seconds)
        age = header.repeatable(.age).flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
        self.redirects = redirects
    }
}
