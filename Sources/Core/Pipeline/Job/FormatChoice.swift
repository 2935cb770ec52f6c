import Geometry
import Imaging

/// Chooses the format of a still result when the client leaves the choice to the service.
///
/// It is the format of the smallest file at about the same visual quality, at a bounded cost of encoding.
/// docs/formats.md has the rule with its measurements.
///
/// The choice depends on pixels, options and accepted formats only, so equal requests have equal bytes.
struct FormatChoice {
    /// Up to this many pixels all formats are written: that takes a millisecond, and headers are much of a small file.
    private static let maxTriedPixels = 128 * 128

    /// A drawing is kept lossless if its file is at most this multiple of the lossy one, which has ringing at its
    /// lines.
    private static let losslessShare = 1.25

    /// A preferred format is chosen if its file is at most this multiple of the smallest: WebP and AVIF are more
    /// faithful.
    private static let largestShare = 1.1

    /// The largest area of a lossless WebP, in pixels; it takes more time and memory than a PNG.
    private static let maxLosslessPixels = 1_000_000

    /// Lossy formats, the one to prefer first.
    private let lossy: [OutputFormat]
    /// The format of drawings, and of transparent images without another one.
    private let lossless: OutputFormat?
    /// The source's own format, if it is accepted; it is tried too, so that a result is not much larger than in it.
    private let own: OutputFormat?
    /// The format if no lossy one is possible and `lossless` is nil; it has alpha if any accepted format has it.
    private let rest: OutputFormat
    /// Whether the source's file is lossless; a drawing in a lossy one already has ringing at its lines.
    private let isLossless: Bool

    /// The choice for a result; nil if its format is requested, or is the source's.
    init?(_ output: ImageOutput, header: ImageHeader, size: PixelSize, limits: PipelineLimits) {
        guard output.format == nil, !output.accepted.isEmpty else { return nil }
        let own = header.format.written.flatMap { output.accepted.contains($0) ? $0 : nil }
        var preferred = Array(output.preferred)
        // The source's own format is preferred even if the client does not name it, unless it is expensive.
        if let own, own.mustBeNamed, !own.isExpensive, !preferred.contains(own) { preferred.append(own) }
        let modern = preferred.filter { format in
            format.isExpensive ? size.area <= limits.maxExpensivePixels : output.chroma != .full
        }
        lossy = modern + (output.accepted.contains(.jpeg) ? [.jpeg] : [])
        let writesWebP = preferred.contains(.webp) && size.area <= Self.maxLosslessPixels
        lossless = writesWebP ? .webp : output.accepted.contains(.png) ? .png : nil
        self.own = own
        rest = output.resolvedWithAlpha(for: header, size: size, limits: limits)
        isLossless = header.isLossless
    }

    /// The memory for encoding a lossless WebP of at most `size`, in bytes; 0 if none can be chosen.
    static func losslessBytes(_ output: ImageOutput, header: ImageHeader, size: PixelSize) -> Int {
        guard output.format == nil, output.accepted.contains(.webp), header.isLossless || header.hasAlpha else {
            return 0
        }
        // A smaller result may be written without loss.
        let side = Int(Double(maxLosslessPixels).squareRoot())
        let largest = size.area <= maxLosslessPixels ? size : PixelSize(width: side, height: side)
        var options = EncodingOptions()
        options.isLossless = true
        return ImageEncoder.encoderBytes(largest, as: .webp, options)
    }

    /// The format for which a result is scaled, before its pixels are known: all others can be written from its pixels.
    func scaled(hasAlpha: Bool) -> OutputFormat {
        let keepsAlpha = lossless != nil || lossy.contains(where: \.keepsAlpha) || rest.keepsAlpha
        if hasAlpha && keepsAlpha || isLossless && lossless != nil { return .png }
        return lossy.first ?? lossless ?? rest
    }

    /// The file of the best format that is at most a tenth larger than the smallest.
    ///
    /// With `maxBytes` only one lossy format is tried, because a search for its quality takes several files.
    func smallest(of image: PlanarImage, _ options: EncodingOptions) throws(CodecError) -> Written {
        let image = try image.hidingColors().withoutOpaqueAlpha
        let lossy = image.alpha == nil ? self.lossy : self.lossy.filter(\.keepsAlpha)
        guard let first = lossy.first else {
            return try write(image, lossless ?? rest, options, isLossless: lossless != nil)
        }
        var files: [Written] = []
        if let lossless, isLossless, image.isDrawn {
            var exact = options
            exact.maxBytes = nil
            let drawn = try write(image, lossless, exact, isLossless: true)
            if let maximum = options.maxBytes {
                if drawn.file.bytes.count <= maximum { return drawn }
            } else {
                // The file without loss is compared with a lossy format other than AVIF if one is possible: AVIF takes
                // several times as long to write.
                let rival = try write(image, lossy.first { !$0.isExpensive } ?? first, options)
                if Double(drawn.file.bytes.count) <= Self.losslessShare * Double(rival.file.bytes.count) {
                    return drawn
                }
                files.append(rival)
            }
        }
        for format in lossy where format == first || options.maxBytes == nil && isTried(format, image.size) {
            if !files.contains(where: { $0.format == format }) { files.append(try write(image, format, options)) }
        }
        let smallest = files.map(\.file.bytes.count).min() ?? 0
        let small = files.filter { Double($0.file.bytes.count) <= Self.largestShare * Double(smallest) }
        let ordered = lossy.compactMap { format in small.first { $0.format == format } }
        guard let chosen = ordered.first else { throw .failed("no format was written") }
        return chosen
    }

    /// A file and its format.
    typealias Written = (format: OutputFormat, file: (bytes: [UInt8], quality: Int?))

    /// Whether a format is tried besides the preferred one; JPEG is, because it takes a tenth of the time.
    private func isTried(_ format: OutputFormat, _ size: PixelSize) -> Bool {
        format == .jpeg || format == own || size.area <= Self.maxTriedPixels
    }

    private func write(
        _ image: PlanarImage,
        _ format: OutputFormat,
        _ options: EncodingOptions,
        isLossless: Bool = false
    ) throws(CodecError) -> Written {
        var options = options
        options.isLossless = isLossless && format == .webp
        return (format, try ImageEncoder.file(of: image, as: format, options))
    }
}
