import CImageCodec
import Framing

/// Turns pixels into files.
///
/// Of the source's metadata only the colour profile is written, for without it the pixel values would mean something
/// else.
package enum ImageEncoder {
    /// The quality of a JPEG when none is asked for.
    package static let defaultQuality = 82

    /// From this quality on a JPEG keeps a chroma sample for every pixel.
    static let fullChromaQuality = 90

    /// The colour model that a file is best written from: scale a picture straight into it.
    ///
    /// - Parameters:
    ///   - model: That of the picture to be written.
    ///   - format: Of the file.
    ///   - quality: As for ``encode(_:as:quality:quantization:)``.
    ///   - quantization: As there; a JPEG keeps its subsampling too.
    /// - Returns: A model that the format can hold.
    package static func model(
        for model: ColorModel,
        as format: ImageFormat,
        quality: Int? = nil,
        quantization: JPEGQuantization? = nil
    ) -> ColorModel {
        if format == .jpeg, let quantization, quantization.applies(to: model) { return quantization.colorModel }
        return switch (format, model) {
        case (_, .gray): .gray
        case (.png, _), (.webp, .rgb): .rgb
        case (.webp, .ycbcr): .ycbcr(.halved)
        case (.jpeg, _):
            .ycbcr((quality ?? quantization?.estimatedQuality ?? defaultQuality) < fullChromaQuality ? .halved : .none)
        }
    }

    /// Writes a picture.
    ///
    /// JPEG is baseline, transparent pixels laid on white; its Huffman tables are the standard's, or made for the picture
    /// with `quantization`. A YCbCr picture keeps its chroma planes as they are where JPEG can hold them. PNG has 8 bits a
    /// sample and is not interlaced. WebP is lossy and keeps alpha.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - format: Of the file.
    ///   - quality: 1 to 100 for JPEG and WebP; nil for that of `quantization`, else ``defaultQuality`` or
    ///     WebP's 80. PNG loses nothing and has none.
    ///   - quantization: That of a JPEG source which the result is to equal when no quality is given. A JPEG of the same
    ///     components gets the same tables, and any other file a quality that is about the same.
    /// - Returns: The file.
    /// - Throws: ``CodecError/tooLarge(_:limit:)`` when the format cannot hold the picture, or
    ///   ``CodecError/outOfMemory``.
    package static func encode(
        _ image: PlanarImage,
        as format: ImageFormat,
        quality: Int? = nil,
        quantization: JPEGQuantization? = nil
    ) throws(CodecError) -> [UInt8] {
        let known = (quality ?? quantization?.estimatedQuality).map { min(max($0, 1), 100) }
        switch format {
        case .jpeg:
            let tables =
                quality == nil && quantization?.applies(to: image.colorModel) == true ? quantization?.tables : nil
            return try JPEGEncoder.encode(image, quality: known ?? defaultQuality, tables: tables)
        case .png: return try PNGEncoder.encode(image)
        case .webp: return try WebPEncoder.encode(image, quality: known ?? WebPEncoder.defaultQuality)
        }
    }

    /// Lets C write into a buffer of its own, and takes the bytes over.
    static func collect(
        _ format: ImageFormat,
        _ size: PixelSize,
        _ write: (UnsafeMutablePointer<hr_buffer>, UnsafeMutablePointer<hr_error>) -> hr_status
    ) throws(CodecError) -> [UInt8] {
        var buffer = hr_buffer()
        defer { hr_buffer_free(&buffer) }
        do {
            try check { write(&buffer, $0) }
        } catch {
            throw error.codecError(format, size: size)
        }
        return Array(UnsafeBufferPointer(start: buffer.data, count: buffer.count))
    }
}
