import ImageSource

/// The picture of a request, wherever it came from.
struct PictureSource {
    /// The encoded image.
    var bytes: [UInt8]
    /// How long it took to fetch; nil for an upload, as is what follows.
    var fetchTime: Duration?
    /// Where it was asked for.
    var url: SourceURL?
    /// `Cache-Control` of its origin.
    var cacheControl: String?
}
