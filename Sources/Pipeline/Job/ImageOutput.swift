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

    /// The possible formats of results for a source if nothing is asked for: its own, or one that depends on its alpha.
    package static func formats(for source: SourceFormat) -> [ImageFormat] {
        let output = ImageOutput()
        let (opaque, transparent) = (output.resolved(for: source), output.resolved(for: source, hasAlpha: true))
        return opaque == transparent ? [opaque] : [opaque, transparent]
    }

    /// The format of the result for a source of the given format.
    ///
    /// Where the source's own is not accepted or cannot be written, a picture with alpha gets the best one that keeps it,
    /// if there is any.
    package func resolved(for source: SourceFormat, hasAlpha: Bool = false) -> ImageFormat {
        if let format { return format }
        let candidates = accepted.isEmpty ? ImageFormat.allCases : accepted
        if let own = source.written, candidates.contains(own) { return own }
        return candidates.first { !hasAlpha || $0.keepsAlpha } ?? candidates[0]
    }
}
