import ImageSource

/// The picture of a request, wherever it came from.
struct PictureSource: Sendable {
    /// The encoded image.
    var bytes: [UInt8]
    /// How long it took to fetch, or to find out that it need not be fetched; nil for an upload, as is what follows.
    var fetchTime: Duration?
    /// Where it was asked for.
    var url: SourceURL?
    /// What is kept of it, and where that came from.
    var kept: (source: KeptSource, use: SourceCache.Use)?

    /// `Cache-Control` of its origin.
    var cacheControl: String? { kept?.source.origin.cacheControl }

    /// SHA-256 of the bytes, in hexadecimal digits; of an upload computed when it is asked for, as it goes through all of it.
    var digest: String { kept?.source.digest ?? Hexadecimal.text(SHA256.digest(of: bytes)) }
}
