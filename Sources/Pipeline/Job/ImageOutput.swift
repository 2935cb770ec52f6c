package import Imaging

/// The encoding of the result.
package struct ImageOutput: Hashable, Codable, Sendable {
    /// The requested format; nil keeps the source's format if it is accepted.
    package var format: ImageFormat?
    /// The accepted formats, best first; used if no format is requested.
    ///
    /// An empty list accepts all formats.
    package var accepted: [ImageFormat] = []
    /// The quality of JPEG and WebP; nil is the format's default.
    package var quality: ImageQuality?

    /// The source's format at its default quality.
    package init(format: ImageFormat? = nil, accepted: [ImageFormat] = [], quality: ImageQuality? = nil) {
        self.format = format
        self.accepted = accepted
        self.quality = quality
    }

    /// The source's quantisation tables, reused for the result; nil if a level is requested or the source has none.
    func quantization(of source: ImageHeader) -> JPEGQuantization? { quality == .source ? source.quantization : nil }

    /// The format of the result for a source of the given format.
    ///
    /// If the source's format is not accepted, a picture with alpha uses the best accepted format with alpha, if any.
    package func resolved(for source: ImageFormat, hasAlpha: Bool = false) -> ImageFormat {
        if let format { return format }
        if accepted.isEmpty || accepted.contains(source) { return source }
        return accepted.first { !hasAlpha || $0.keepsAlpha } ?? accepted[0]
    }
}
