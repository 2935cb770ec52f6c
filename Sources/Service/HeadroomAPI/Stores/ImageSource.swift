import Cryptography
import Encodings
import Fetching
import Pipeline

/// The source image of a request: an upload, or the bytes at a URL.
struct ImageSource: Sendable {
    var bytes: SourceBytes
    /// The time of the fetch or of the cache lookup.
    ///
    /// Like the following properties, it is nil for an upload.
    var fetchTime: Duration?
    var url: SourceURL?
    /// Whether this is a fallback image; in this case, ``url`` is the URL of the missing image.
    var isFallbackImage = false
    /// Whether the request contained the complete URL.
    ///
    /// False for a relative URL and for a path below the name of an origin.
    var isNamedInFull = true
    /// The cached source, and whether it was cached, revalidated or fetched.
    var cached: (source: CachedSource, use: SourceCache.Use)?
    /// The digest of a configured image; nil for other images.
    var knownDigest: String?

    /// `Cache-Tag` and `Link` of responses.
    var labels: SourceLabels? { url.map { SourceLabels(url: $0, isNamedInFull: isNamedInFull) } }

    /// The source's `Last-Modified`; nil if it is absent, or later than the fetch (RFC 9110 §8.8.2.1).
    var lastModified: UnixTime? {
        guard let origin = cached?.source.origin, let text = origin.lastModified else { return nil }
        return HTTPDate.time(text).flatMap { $0.seconds <= origin.confirmedAt ? $0 : nil }
    }

    /// The source's `Cache-Control`.
    var cacheControl: String? { cached?.source.origin.cacheControl }

    /// SHA-256 of the bytes, in hexadecimal digits; for an upload, computed at each use.
    var digest: String {
        knownDigest ?? cached?.source.digest ?? bytes.withUnsafeBytes { Hexadecimal.text(SHA256.digest(of: $0)) }
    }
}
