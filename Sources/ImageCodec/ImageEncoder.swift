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
    ///   - quality: As for ``encode(_:as:quality:)``.
    /// - Returns: A model that the format can hold.
    package static func model(
        for model: ColorModel,
        as format: ImageFormat,
        quality: Int? = nil
    ) -> ColorModel {
        switch (format, model) {
        case (_, .gray): .gray
        case (.png, _), (.webp, .rgb): .rgb
        case (.webp, .ycbcr): .ycbcr(.halved)
        case (.jpeg, _): .ycbcr((quality ?? defaultQuality) < fullChromaQuality ? .halved : .none)
        }
    }

    /// Writes a picture.
    ///
    /// JPEG is baseline with optimised Huffman tables, transparent pixels laid on white. A YCbCr picture keeps its
    /// chroma planes as they are where JPEG can hold them. PNG has 8 bits a sample and is not interlaced.
    /// WebP is lossy and keeps alpha.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - format: Of the file.
    ///   - quality: 1 to 100 for JPEG and WebP; nil for ``defaultQuality`` or WebP's 80. PNG loses nothing and has none.
    /// - Returns: The file.
    /// - Throws: ``CodecError/tooLarge(_:limit:)`` when the format cannot hold the picture, or
    ///   ``CodecError/outOfMemory``.
    package static func encode(
        _ image: PlanarImage,
        as format: ImageFormat,
        quality: Int? = nil
    ) throws(CodecError) -> [UInt8] {
        switch format {
        case .jpeg: try JPEGEncoder.encode(image, quality: min(max(quality ?? defaultQuality, 1), 100))
        case .png: try PNGEncoder.encode(image)
        case .webp: try WebPEncoder.encode(image, quality: min(max(quality ?? WebPEncoder.defaultQuality, 1), 100))
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
