package import Admission

/// A response of an origin: the undecoded bytes and their metadata.
///
/// Header fields are nil if they are missing, longer than 1024 bytes, or contain anything except visible ASCII and
/// spaces, so they can be repeated in another response.
package struct FetchedImage: Sendable {
    /// The decoded body, which may not be an image.
    package let bytes: [UInt8]
    /// The share of ``ImageFetcher/budget`` that the bytes use; retain it as long as the bytes.
    package let share: ByteShare?
    /// Whether the origin responded with 304: the cached bytes are current, and ``bytes`` is empty.
    package let isUnchanged: Bool
    /// The final URL, after all redirects.
    package let url: SourceURL
    /// `Content-Type`; not trusted, because the bytes decide.
    package private(set) var contentType: String?
    /// `ETag`, with its quotes and prefix.
    package private(set) var etag: String?
    /// `Last-Modified`, unchanged.
    package private(set) var lastModified: String?
    /// `Cache-Control`, unchanged; several fields joined by commas.
    package private(set) var cacheControl: String?
    /// `Expires`; 1970, which is in the past, if it is not a date.
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

    /// Creates the result of reading a local file; `file` is nil for a file that has not changed.
    init(_ file: LocalFile?, url: SourceURL) {
        self.init(bytes: file?.bytes ?? [], share: file?.share, isUnchanged: file == nil, url: url, etag: file?.etag)
    }
}
