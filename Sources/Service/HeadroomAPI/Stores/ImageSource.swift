import Encodings
import Fetching
import Pipeline

/// The source image of a request: an upload, or the bytes at a URL.
struct ImageSource: Sendable {
    var bytes: SourceBytes
    /// Time of the fetch or of the cache lookup; this and the following are nil for an upload.
    var fetchTime: Duration?
    var url: SourceURL?
    /// Whether this is the image that stands in for a missing one; ``url`` is that of the missing one.
    var isFallbackImage = false
    /// Whether the request named the URL in full, and not as a short address or below the name of an origin.
    var isNamedInFull = true
    /// The cached source, and whether it was cached, revalidated or fetched.
    var cached: (source: CachedSource, use: SourceCache.Use)?
    /// The digest of an image of the settings; nil for others.
    var knownDigest: String?

    /// `Cache-Tag` and `Link` of responses.
    var labels: SourceLabels? { url.map { SourceLabels(url: $0, isNamedInFull: isNamedInFull) } }

    /// `Last-Modified` of its origin; nil without one, and for a time after that of the fetch (RFC 9110 §8.8.2.1).
    var lastModified: UnixTime? {
        guard let origin = cached?.source.origin, let text = origin.lastModified else { return nil }
        return HTTPDate.time(text).flatMap { $0.seconds <= origin.confirmedAt ? $0 : nil }
    }

    /// `Cache-Control` of its origin.
    var cacheControl: String? { cached?.source.origin.cacheControl }

    /// SHA-256 of the bytes, in hexadecimal digits; computed at each use for an upload.
    var digest: String {
        knownDigest ?? cached?.source.digest ?? bytes.withUnsafeBytes { Hexadecimal.text(SHA256.digest(of: $0)) }
    }
}
