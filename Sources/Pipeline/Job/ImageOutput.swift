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

    /// The possible formats of results for a source if nothing is asked for: its own, or one that depends on its alpha
    /// and on whether it is animated.
    package static func formats(for source: SourceFormat) -> [ImageFormat] {
        let output = ImageOutput()
        var formats = [output.resolved(for: source)]
        let others = [output.resolved(for: source, hasAlpha: true), source.writtenAnimated]
        for case let other? in others where !formats.contains(other) { formats.append(other) }
        return formats
    }

    /// The format of an animated result for an animated source of the given format; nil if no accepted format holds
    /// animations.
    package func resolvedAnimated(for source: SourceFormat) -> ImageFormat? {
        if let format { return format.keepsAnimation ? format : nil }
        let candidates = accepted.isEmpty ? ImageFormat.allCases : accepted
        if let own = source.writtenAnimated, candidates.contains(own) { return own }
        return candidates.first(where: \.keepsAnimation)
    }

    /// The format of the result for a source of the given format.
    ///
    /// If the source's format is not accepted or cannot be written, a picture with alpha uses the best accepted format
    /// with alpha, if any.
    package func resolved(for source: SourceFormat, hasAlpha: Bool = false) -> ImageFormat {
        if let format { return format }
        let candidates = accepted.isEmpty ? ImageFormat.allCases : accepted
        if let own = source.written, candidates.contains(own) { return own }
        return candidates.first { !hasAlpha || $0.keepsAlpha } ?? candidates[0]
    }
}
