import CImageCodec
package import Geometry

/// Encodes pixels into files.
///
/// Of the source's metadata only the colour profile is written, because the pixel values depend on it.
package enum ImageEncoder {
    /// The default quality of a JPEG.
    package static let defaultQuality = 82

    /// The lowest quality at which a JPEG or an AVIF keeps a chroma sample for every pixel.
    static let fullChromaQuality = 90

    /// The best colour model to encode a file from; scale a picture directly to it.
    ///
    /// - Parameters:
    ///   - model: The colour model of the picture.
    ///   - format: The format of the file.
    ///   - quality: Like that of ``encode(_:as:quality:quantization:)``.
    ///   - quantization: Like that of ``encode(_:as:quality:quantization:)``; a JPEG keeps its subsampling as well.
    /// - Returns: A model that the format supports.
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
        #if AVIF
        case (.avif, .rgb): .rgb
        case (.avif, .ycbcr): .ycbcr(AVIFEncoder.subsampling(quality: quality ?? quantization?.estimatedQuality))
        #endif
        case (.jpeg, _):
            .ycbcr((quality ?? quantization?.estimatedQuality ?? defaultQuality) < fullChromaQuality ? .halved : .none)
        }
    }

    /// Encodes a picture.
    ///
    /// JPEG is baseline, transparent pixels over white; its Huffman tables are the standard's, or optimised for the
    /// picture with `quantization`. A YCbCr picture keeps its chroma planes if JPEG supports them. PNG has 8 bits per
    /// sample and is not interlaced. WebP and AVIF are lossy and keep alpha.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - format: The format of the file.
    ///   - quality: 1 to 100 for lossy formats; nil for that of `quantization`, else ``defaultQuality`` or WebP's 80.
    ///     PNG is lossless and ignores it.
    ///   - quantization: The quantisation of a JPEG source, which the result matches if no quality is given. A JPEG of
    ///     the same components gets the same tables, and any other file an equivalent quality.
    /// - Returns: The file.
    /// - Throws: ``CodecError/tooLarge(_:limit:)`` if the format cannot hold the picture, or
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
        #if AVIF
        case .avif: return try AVIFEncoder.encode(image, quality: known ?? defaultQuality)
        #endif
        }
    }

    /// The memory that an encoder takes for itself, without the picture and the file, in bytes; for formats other than
    /// AVIF it is little.
    package static func encoderBytes(_ size: PixelSize, as format: ImageFormat, quality: Int? = nil) -> Int {
        #if AVIF
        if format == .avif { return AVIFEncoder.bytesNeeded(size, AVIFEncoder.subsampling(quality: quality)) }
        #endif
        return 0
    }

    /// Calls a C function that writes into a buffer of its own, and copies the bytes.
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
            throw error.codecError(SourceFormat(format), size: size)
        }
        return Array(UnsafeBufferPointer(start: buffer.data, count: buffer.count))
    }
}
