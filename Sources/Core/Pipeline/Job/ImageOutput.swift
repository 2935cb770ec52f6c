package import Geometry
package import Imaging

/// The encoding of the result.
package struct ImageOutput: Hashable, Codable, Sendable {
    /// The requested format; nil leaves the choice to the service.
    package var format: OutputFormat?
    /// The accepted formats; ``FormatChoice`` chooses one of these formats if no format is requested.
    ///
    /// Formats that precede JPEG and PNG in the list are preferred to them. An empty list keeps the source's format.
    package var accepted: [OutputFormat] = []
    /// The quality of a lossy format; nil for the default.
    package var quality: ImageQuality?
    /// The chroma of a JPEG or an AVIF.
    package var chroma = ChromaFormat.auto
    /// Whether a JPEG is progressive.
    package var isProgressive = false
    /// The maximum size of the file in bytes, which may lower the quality; nil for no limit.
    package var maxBytes: Int?
    /// Whether artist, copyright and credit of the source are kept; all other metadata is dropped.
    package var keepsCopyright = false
    /// Whether the output is the frames of a video, for a ``VideoFrameWriter``: an animated PNG, never a still image.
    package private(set) var isForVideo = false

    /// The frames of a video, which a program encodes.
    package static var videoFrames: ImageOutput {
        var output = ImageOutput(format: .png)
        output.isForVideo = true
        return output
    }

    /// Creates the encoding options; the defaults keep the source's format, at the default quality of this format.
    package init(format: OutputFormat? = nil, accepted: [OutputFormat] = [], quality: ImageQuality? = nil) {
        self.format = format
        self.accepted = accepted
        self.quality = quality
    }

    /// Returns the size of the file's image for a crop with an upright output of this size.
    package func size(of size: PixelSize) -> PixelSize { isForVideo ? VideoFrameWriter.size(of: size) : size }

    /// Returns the encoding options of a file, with the source's quantisation tables if the source's quality is
    /// requested.
    func options(for source: ImageHeader, _ copyright: CopyrightNotice? = nil) -> EncodingOptions {
        let quantization = quality == .source ? source.quantization : nil
        var options = EncodingOptions(quality: quality?.level, quantization: quantization)
        options.chroma = chroma
        options.isProgressive = isProgressive
        options.maxBytes = maxBytes
        options.copyright = copyright
        return options
    }

    /// Returns the output with only the formats that can contain an image of a size.
    ///
    /// Every choice of a format starts with this method. It returns the output unchanged if a format is requested. It
    /// also does so if no accepted format can contain the image; ``refusal(of:)`` then returns the error. If the output
    /// is in the source's format, and this format cannot contain the image, all inexpensive formats are candidates.
    func holding(_ size: PixelSize, for source: InputFormat) -> ImageOutput {
        guard format == nil else { return self }
        let usual = [resolved(for: source), resolved(for: source, hasAlpha: true)]
        if accepted.isEmpty, usual.allSatisfy({ $0.suits(size) }) { return self }
        var output = self
        output.accepted = candidates.filter { $0.suits(size) }
        return output.accepted.isEmpty ? self : output
    }

    /// Returns the error if neither the requested format nor an accepted format can contain an image of a size.
    func refusal(of size: PixelSize) -> CodecError? {
        if let format { return format.holds(size) ? nil : .tooLarge(size, limit: .format(InputFormat(format))) }
        return candidates.contains { $0.suits(size) } ? nil : .tooLarge(size, limit: .formats(candidates))
    }

    /// The candidates: the accepted formats or, if the output keeps the source's format, all inexpensive formats.
    private var candidates: [OutputFormat] {
        accepted.isEmpty ? OutputFormat.allCases.filter { !$0.isExpensive } : accepted
    }

    /// The output without the format with the maximum encoder memory; nil if no further format is worth omitting.
    var lighter: ImageOutput? {
        guard format == nil, accepted.count > 1 else { return nil }
        let heavy = accepted.first(where: \.isExpensive) ?? accepted.first(where: \.mustBeNamed)
        guard let heavy else { return nil }
        var output = self
        output.accepted.removeAll { $0 == heavy }
        return output
    }

    /// Returns the possible formats of results if the request names no format; alpha and animation decide among them.
    package static func formats(for source: InputFormat) -> [OutputFormat] {
        let output = ImageOutput()
        var formats = [output.resolved(for: source)]
        let animated = source.writtenAnimated == nil ? nil : output.resolvedAnimated(for: source)
        let others = [output.resolved(for: source, hasAlpha: true), animated]
        for case let other? in others where !formats.contains(other) { formats.append(other) }
        return formats
    }

    /// Returns the format of an animated result for an animated source; nil if no accepted format supports its
    /// animation.
    ///
    /// - Parameter source: The format of the source.
    /// - Returns: A format that supports animations. PNG is only used for PNG sources, because a lossless film is many
    ///   times as large.
    package func resolvedAnimated(for source: InputFormat) -> OutputFormat? {
        if let format { return format == .png && source != .png || !format.keepsAnimation ? nil : format }
        let candidates = (accepted.isEmpty ? OutputFormat.allCases : accepted).filter { !$0.isExpensive }
        if let own = source.writtenAnimated, candidates.contains(own) { return own }
        return candidates.first(where: \.suitsEveryAnimation)
    }

    /// Returns the possible formats of an animated result of `size` for a source, the preferred format for films first.
    ///
    /// The list is empty if no accepted format supports the animation. AVIF is possible only for a source that plays
    /// forever, because AVIF cannot store another number of plays.
    func animated(for header: ImageHeader, size: PixelSize, limits: PipelineLimits) -> [OutputFormat] {
        let isSmall = size.area <= limits.maxExpensivePixels
        if format?.isExpensive == true, !isSmall { return [] }
        if isForVideo { return [.png] }
        let output = holding(size, for: header.format)
        let usual = output.resolvedAnimated(for: header.format).map { [$0] } ?? []
        guard format == nil else { return usual }
        let plays = header.animation?.plays
        let formats = output.preferred.filter { $0.keepsAnimation && (!$0.isExpensive || isSmall && plays == 0) }
        return formats + usual.filter { !formats.contains($0) && $0.holds(size) }
    }

    /// The accepted formats that are preferred to JPEG and PNG if they are worth their cost, best first.
    var preferred: ArraySlice<OutputFormat> { accepted.prefix(while: \.mustBeNamed) }

    /// Returns the format of a result of `size` for a source, before its pixels are known.
    ///
    /// An expensive format is worth its cost if the result is small enough and the source is lossy. The result has
    /// alpha if the source has alpha, unless `hasAlpha` is given.
    func resolved(
        for header: ImageHeader,
        size: PixelSize,
        limits: PipelineLimits,
        hasAlpha: Bool? = nil
    ) -> OutputFormat {
        holding(size, for: header.format).resolved(
            for: header.format,
            hasAlpha: hasAlpha ?? header.hasAlpha,
            allowsExpensive: !header.isLossless && size.area <= limits.maxExpensivePixels
        )
    }

    /// Returns the format of a transparent result, whose source may be opaque.
    ///
    /// This is the requested format or, without a request, the best accepted format with alpha, if there is one.
    func resolvedWithAlpha(for header: ImageHeader, size: PixelSize, limits: PipelineLimits) -> OutputFormat {
        let usual = resolved(for: header, size: size, limits: limits)
        guard format == nil, !usual.keepsAlpha else { return usual }
        let accepted = holding(size, for: header.format).accepted
        let candidates = (accepted.isEmpty ? OutputFormat.allCases : accepted).filter { $0.suits(size) }
        return candidates.first { $0.keepsAlpha && !$0.isExpensive } ?? usual
    }

    /// Returns the format of the result for a source of the given format.
    ///
    /// An expensive format is used if it is the best accepted format and worth its cost. Otherwise the result has the
    /// source's format. If the source's format is not accepted or cannot be written, an image with alpha gets the best
    /// accepted format with alpha, if there is one.
    package func resolved(
        for source: InputFormat,
        hasAlpha: Bool = false,
        allowsExpensive: Bool = true
    ) -> OutputFormat {
        if let format { return format }
        let all = (accepted.isEmpty ? OutputFormat.allCases : accepted).filter { allowsExpensive || !$0.isExpensive }
        let candidates = all.isEmpty ? OutputFormat.allCases : all
        if candidates[0].isExpensive { return candidates[0] }
        if let own = source.written, candidates.contains(own), allowsExpensive || !own.isExpensive { return own }
        return candidates.first { !hasAlpha || $0.keepsAlpha } ?? candidates[0]
    }

    /// Whether encoding may take several times as long as usual.
    package var mayBeExpensive: Bool {
        // A byte limit requires several encodings.
        maxBytes != nil || format?.isExpensive ?? accepted.contains(where: \.isExpensive)
    }

    /// Returns the format of an animation of a still source with stickers; nil if no accepted format supports
    /// animations.
    func stickerFormat(for source: InputFormat) -> OutputFormat? {
        if let format { return format.keepsAnimation && format != .png ? format : nil }
        // If there is no choice, the format is the source's format.
        if accepted.isEmpty { return source.writtenAnimated.flatMap { $0 == .png ? nil : $0 } }
        if let best = accepted.first, best.isExpensive, best.keepsAnimation { return best }
        return accepted.first { $0.suitsEveryAnimation && !$0.isExpensive }
    }
}

/// The quality of a lossy encoding.
package enum ImageQuality: Hashable, Codable, Sendable, ExpressibleByIntegerLiteral {
    /// 1…100, on libjpeg's scale; other encoders get the value of equal SSIM.
    case level(Int)
    /// The source's quality: a JPEG's quantisation and subsampling, or the closest level in another format.
    ///
    /// For sources other than JPEG, this is the format's default.
    case source

    /// Creates the quality ``level(_:)``.
    package init(integerLiteral level: Int) { self = .level(level) }

    /// The requested level; nil if it depends on the source.
    var level: Int? {
        if case .level(let level) = self { level } else { nil }
    }
}
