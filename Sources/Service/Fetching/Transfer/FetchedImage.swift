package import Admission

/// The response of an origin: its body and metadata.
///
/// A header field is nil if it is missing, if it is longer than 1024 bytes, or if it contains anything other than
/// visible ASCII and spaces. All other fields can be repeated in another response.
package struct FetchedImage: Sendable {
    /// The body after decoding of its content codings; it may not be an image.
    package let bytes: [UInt8]
    /// The share of ``ImageFetcher/budget`` that the bytes use; retain it for as long as the bytes are used.
    package let share: ByteShare?
    /// Whether the origin responded with 304.
    ///
    /// If so, the cached bytes are current and ``bytes`` is empty.
    package let isUnchanged: Bool
    /// The final URL, after all redirects.
    package let url: SourceURL
    /// `Content-Type`, which is not trusted, because the format is detected from the bytes.
    package private(set) var contentType: String?
    /// `ETag`, with its quotes and prefix.
    package private(set) var etag: String?
    /// `Last-Modified`, unchanged.
    package private(set) var lastModified: String?
    /// `Cache-Control`, unchanged; several fields joined by commas.
    package private(set) var cacheControl: String?
    /// `Expires`; if it is not a date, 1970, which is in the past.
    package private(set) var expires: UnixTime?
    package private(set) var date: UnixTime?
    /// `Age`: the time that the response spent in caches.
    package private(set) var age: DeltaSeconds?
    /// The number of redirects that were followed.
    package private(set) var redirects = 0
}

extension FetchedImage {
    init(_ receiver: ResponseReceiver, isUnchanged: Bool, url: SourceURL, redirects: Int) {
        let header = receiver.header
        bytes = isUnchanged ? [] : receiver.body
        share = isUnchanged ? nil : receiver.share
        self.isUnchanged = isUnchanged
        self.url = url
        contentType = header.repeatable(.contentType)
        etag = header.repeatable(.etag)
        lastModified = header.repeatable(.lastModified)
        cacheControl = header.repeatable(.cacheControl)
        expires = header.repeatable(.expires).map { HTTPDate.time($0) ?? UnixTime(clamping: 0) }
        date = header.repeatable(.date).flatMap(HTTPDate.time)
        age = header.repeatable(.age).flatMap { DeltaSeconds(digits: $0) }
        self.redirects = redirects
    }

    /// Creates the result of reading a local file; `file` is nil if the file has not changed.
    init(_ file: LocalFile?, url: SourceURL) {
        self.init(bytes: file?.bytes ?? [], share: file?.share, isUnchanged: file == nil, url: url, etag: file?.etag)
    }
}
