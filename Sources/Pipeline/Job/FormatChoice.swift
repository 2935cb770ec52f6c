import Geometry
import Imaging

/// Chooses the format of a still result when the client leaves the choice to the service.
///
/// It is that of the smallest file with the same likeness, at a bounded cost. docs/formats.md has the rule with its
/// measurements.
///
/// The choice depends on pixels, options and accepted formats only, so equal requests have equal bytes.
struct FormatChoice {
    /// Up to this many pixels all formats are written: that takes a millisecond, and headers are much of a small file.
    private static let mostTriedPixels = 128 * 128

    /// The largest file without loss of a drawing, in sizes of the lossy one, which has ringing at its lines.
    private static let losslessShare = 1.25

    /// The largest file of a format to prefer, in sizes of the smallest one: WebP and AVIF have a higher likeness.
    private static let largestShare = 1.1

    /// The most pixels of which a lossless WebP is written, which takes more time and memory than a PNG.
    private static let mostLosslessPixels = 1_000_000

    /// Lossy formats, the one to prefer first.
    private let lossy: [ImageFormat]
    /// The format of drawings, and of transparent pictures without another one.
    private let lossless: ImageFormat?
    /// The source's own format, than which a result is not to be larger.
    private let own: ImageFormat?
    /// The format if no other is possible, with alpha if any accepted one has it.
    private let rest: ImageFormat
    /// Whether the file of the source is without loss: the lines of others have ringing already.
    private let isLossless: Bool

    /// The choice for a result; nil if its format is requested, or is the source's.
    init?(_ output: ImageOutput, header: ImageHeader, size: PixelSize, limits: PipelineLimits) {
        guard output.format == nil, !output.accepted.isEmpty else { return nil }
        let own = header.format.written.flatMap { output.accepted.contains($0) ? $0 : nil }
        var preferred = Array(output.preferred)
        // What the source has may be sent without being named, unless it is expensive.
        if let own, own.mustBeNamed, !own.isExpensive, !preferred.contains(own) { preferred.append(own) }
        let modern = preferred.filter { format in
            format.isExpensive ? size.area <= limits.maxExpensivePixels : output.chroma != .full
        }
        lossy = modern + (output.accepted.contains(.jpeg) ? [.jpeg] : [])
        let writesWebP = preferred.contains(.webp) && size.area <= Self.mostLosslessPixels
        lossless = writesWebP ? .webp : output.accepted.contains(.png) ? .png : nil
        self.own = own
        rest = output.resolvedWithAlpha(for: header, size: size, limits: limits)
        isLossless = header.isLossless
    }

    /// The memory of the encoder for a drawing without loss, in bytes, if the format of results of up to `size` is chosen.
    static func losslessBytes(_ output: ImageOutput, header: ImageHeader, size: PixelSize) -> Int {
        guard output.format == nil, output.accepted.contains(.webp), header.isLossless || header.hasAlpha else {
            return 0
        }
        // A smaller result may be written without loss.
        let side = Int(Double(mostLosslessPixels).squareRoot())
        let largest = size.area <= mostLosslessPixels ? size : PixelSize(width: side, height: side)
        var options = EncodingOptions()
        options.isLossless = true
        return ImageEncoder.encoderBytes(largest, as: .webp, options)
    }

    /// The format for which a result is scaled, before its pixels are known.
    ///
    /// - Parameter hasAlpha: Whether some of the result may be transparent.
    /// - Returns: A format whose pixels all others can be written from.
    func scaled(hasAlpha: Bool) -> ImageFormat {
        let keepsAlpha = lossless != nil || lossy.contains(where: \.keepsAlpha) || rest.keepsAlpha
        if hasAlpha && keepsAlpha || isLossless && lossless != nil { return .png }
        return lossy.first ?? lossless ?? rest
    }

    /// The file of the best format that is at most a tenth larger than the smallest.
    ///
    /// - Parameters:
    ///   - image: The finished result.
    ///   - options: The options of the file. With `maxBytes` only one lossy format is tried, because a search for its
    ///     quality takes several files.
    /// - Returns: The format and its file.
    /// - Throws: ``CodecError``.
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
            if let most = options.maxBytes {
                if drawn.file.bytes.count <= most { return drawn }
            } else {
                // AVIF blurs lines at the speed that it is written with.
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
    typealias Written = (format: ImageFormat, file: (bytes: [UInt8], quality: Int?))

    /// Whether a format is written besides the preferred one: JPEG takes a tenth of its time.
    private func isTried(_ format: ImageFormat, _ size: PixelSize) -> Bool {
        format == .jpeg || format == own || size.area <= Self.mostTriedPixels
    }

    private func write(
        _ image: PlanarImage,
        _ format: ImageFormat,
        _ options: EncodingOptions,
        isLossless: Bool = false
    ) throws(CodecError) -> Written {
        var options = options
        options.isLossless = isLossless && format == .webp
        return (format, try ImageEncoder.file(of: image, as: format, options))
    }
}
