package import Imaging

/// How the result is encoded.
package struct ImageOutput: Hashable, Codable, Sendable {
    /// The format asked for; nil keeps the source's if that is accepted.
    package var format: ImageFormat?
    /// What the receiver accepts, best first; consulted when no format is asked for.
    ///
    /// Empty accepts everything.
    package var accepted: [ImageFormat] = []
    /// For JPEG and WebP; nil is the format's default.
    package var quality: ImageQuality?

    /// The source's format at its default quality.
    package init(format: ImageFormat? = nil, accepted: [ImageFormat] = [], quality: ImageQuality? = nil) {
        self.format = format
        self.accepted = accepted
        self.quality = quality
    }

    /// The quantisation that the result is to equal; nil where a level is asked for, or the source has none.
    func quantization(of source: ImageHeader) -> JPEGQuantization? { quality == .source ? source.quantization : nil }

    /// The format of the result for a source of the given format.
    ///
    /// Where the source's own is not accepted, a picture with alpha gets the best one that keeps it, if there is any.
    package func resolved(for source: ImageFormat, hasAlpha: Bool = false) -> ImageFormat {
        if let format { return format }
        if accepted.isEmpty || accepted.contains(source) { return source }
        return accepted.first { !hasAlpha || $0.keepsAlpha } ?? accepted[0]
    }
}
