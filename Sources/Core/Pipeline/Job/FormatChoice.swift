import Geometry
import Imaging

/// Chooses the format of a still result if the client leaves the choice to the service.
///
/// The chosen format gives the smallest file at about the same visual quality, at a bounded cost of encoding.
/// docs/contributing/format-internals.md contains the rule and its measurements.
///
/// The choice depends only on pixels, options and accepted formats, so equal requests give equal bytes.
struct FormatChoice {
    /// The maximum number of pixels for writing all formats.
    ///
    /// Writing all formats takes a millisecond for an image of this size. It is worthwhile, because headers are a large
    /// part of a small file.
    private static let maxTriedPixels = 128 * 128

    /// A drawing is written lossless if the file is at most this multiple of the lossy file, which would have ringing
    /// at lines.
    private static let losslessShare = 1.25

    /// A preferred format is chosen if its file is at most this multiple of the smallest file, because WebP and AVIF
    /// are closer to the source.
    private static let largestShare = 1.1

    /// The maximum area of a lossless WebP, in pixels; WebP takes more time and memory than PNG.
    private static let maxLosslessPixels = 1_000_000

    /// Lossy formats, the preferred format first.
    private let lossy: [OutputFormat]
    /// The format of drawings, and of transparent images if no other format can be used.
    private let lossless: OutputFormat?
    /// The source's format, if it is accepted.
    ///
    /// It is always tried, so that no result is much larger than a file in this format.
    private let own: OutputFormat?
    /// The format to use if no lossy format is possible and `lossless` is nil; it has alpha if any accepted format has
    /// alpha.
    private let rest: OutputFormat
    /// Whether the source's file is lossless; a drawing in a lossy file already has ringing at its lines.
    private let isLossless: Bool

    /// Creates the choice for a result; nil if the request names the format or keeps the source's format.
    init?(_ output: ImageOutput, header: ImageHeader, size: PixelSize, limits: PipelineLimits) {
        let output = output.holding(size, for: header.format)
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

    /// Returns the memory for encoding a lossless WebP of at most `size`, in bytes; 0 if the choice excludes lossless
    /// WebP.
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

    /// Returns the format used to scale a result before its pixels are known.
    ///
    /// The scaled pixels can also be written in all other formats.
    func scaled(hasAlpha: Bool) -> OutputFormat {
        let keepsAlpha = lossless != nil || lossy.contains(where: \.keepsAlpha) || rest.keepsAlpha
        if hasAlpha && keepsAlpha || isLossless && lossless != nil { return .png }
        return lossy.first ?? lossless ?? rest
    }

    /// Returns the file of the best format that is at most a tenth larger than the smallest file.
    ///
    /// With `maxBytes`, only one lossy format is tried, because the search for its quality writes several files.
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
                // The lossless file is compared with a lossy format other than AVIF, if possible, because AVIF takes
                // several times as long to write.
                let rival = try write(image, lossy.first { !$0.isExpensive } ?? first, options)
                if Double(drawn.file.bytes.count) <= Self.losslessShare * Double(rival.file.bytes.count) {
                    return drawn
                }
                files.append(rival)
            }
        }
        var refusal: CodecError?
        for format in lossy
        where files.isEmpty || format == first || options.maxBytes == nil && isTried(format, image.size) {
            if files.contains(where: { $0.format == format }) { continue }
            do {
                files.append(try write(image, format, options))
            } catch .tooLarge(let size, .format(let format)) {
                // An encoder can also reject an image because of its content: the header of a WebP has at most 512 KiB.
                refusal = .tooLarge(size, limit: .format(format))
            }
        }
        if files.isEmpty, let refusal {
            guard let lossless, lossless != .webp else { throw refusal }
            return try write(image, lossless, options)
        }
        let smallest = files.map(\.file.bytes.count).min() ?? 0
        let small = files.filter { Double($0.file.bytes.count) <= Self.largestShare * Double(smallest) }
        let ordered = lossy.compactMap { format in small.first { $0.format == format } }
        guard let chosen = ordered.first else { throw .failed("no format was written") }
        return chosen
    }

    /// A file and its format.
    typealias Written = (format: OutputFormat, file: (bytes: [UInt8], quality: Int?))

    /// Whether a format is tried in addition to the preferred format; JPEG is, because it takes a tenth of the time.
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
