import CImageCodec
package import Geometry

/// Encodes pixels into files.
///
/// A kept colour profile is the only source metadata that is written, because the pixel values depend on it.
package enum ImageEncoder {
    /// The default quality of every lossy format.
    package static let defaultQuality = 82

    /// The minimum quality for JPEG and AVIF files with a chroma sample for every pixel.
    static let fullChromaQuality = 90

    /// Returns the best colour model for encoding a file; scale an image directly to it.
    ///
    /// - Parameters:
    ///   - model: The colour model of the image.
    ///   - format: The format of the file.
    ///   - options: The options of the file; a JPEG with a source's quantisation also keeps the source's subsampling.
    /// - Returns: A model that the format supports.
    package static func model(
        for model: ColorModel,
        as format: OutputFormat,
        _ options: EncodingOptions = EncodingOptions()
    ) -> ColorModel {
        model == .gray ? .gray : format.writing.model(model, options)
    }

    /// Encodes an image with default options, except for its quality.
    ///
    /// Parameters and errors are the same as for ``file(of:as:_:)``.
    package static func encode(
        _ image: PlanarImage,
        as format: OutputFormat,
        quality: Int? = nil,
        quantization: JPEGQuantization? = nil
    ) throws(CodecError) -> [UInt8] {
        try encode(image, as: format, EncodingOptions(quality: quality, quantization: quantization))
    }

    /// Encodes an image.
    ///
    /// Parameters and errors are the same as for ``file(of:as:_:)``.
    package static func encode(
        _ image: PlanarImage,
        as format: OutputFormat,
        _ options: EncodingOptions
    ) throws(CodecError) -> [UInt8] {
        try file(of: image, as: format, options).bytes
    }

    /// Encodes an image.
    ///
    /// If `maxBytes` is set, finds the best quality at which the file has at most `maxBytes`.
    ///
    /// JPEG is baseline, or progressive with `isProgressive` or `maxBytes`; transparent pixels are drawn over white.
    /// Its Huffman tables are the tables of the standard, or are optimised for the image with `quantization`. A YCbCr
    /// image keeps its chroma planes if JPEG supports them. PNG has 8 bits per sample and is not interlaced; with at
    /// most 256 colours it has a palette. WebP and AVIF are lossy and keep alpha. GIF has at most 255 colours, and
    /// pixels are either opaque or transparent. Transparent pixels are white in every format.
    ///
    /// - Returns: The file, and its quality if `maxBytes` is set and the format is lossy.
    /// - Throws: ``CodecError/tooLarge(_:limit:)`` if the format cannot hold the image,
    ///   ``CodecError/tooManyBytes(_:limit:)`` if it has more than `maxBytes` at the lowest quality, or
    ///   ``CodecError/outOfMemory``.
    package static func file(
        of image: PlanarImage,
        as format: OutputFormat,
        _ options: EncodingOptions
    ) throws(CodecError) -> (bytes: [UInt8], quality: Int?) {
        guard format.holds(image.size) else { throw .tooLarge(image.size, limit: .format(InputFormat(format))) }
        let image = format.keepsAlpha ? try image.hidingColors() : image
        let encode = format.writing.encode
        guard let maxBytes = options.maxBytes else { return (try encode(image, options), nil) }
        var options = options
        options.isProgressive = true
        if !format.isLossy || options.quality == nil && options.quantization != nil {
            let bytes = try encode(image, options)
            if bytes.count <= maxBytes { return (bytes, format.isLossy ? options.knownQuality : nil) }
            guard format.isLossy else { throw .tooManyBytes(bytes.count, limit: maxBytes) }
        }
        let search = QualitySearch(maxBytes: maxBytes)
        let found = try search.best(from: options.knownQuality) { (quality) throws(CodecError) in
            var options = options
            options.quality = quality
            return try encode(image, options)
        }
        return (found.bytes, found.quality)
    }

    /// The memory of an encoder in bytes, without the image and the file.
    package static func encoderBytes(_ size: PixelSize, as format: OutputFormat, _ options: EncodingOptions) -> Int {
        format.writing.bytesNeeded(size, options)
    }

    /// Calls a C function that allocates a buffer, and copies the bytes out of it.
    static func collect(
        _ format: OutputFormat,
        _ size: PixelSize,
        _ write: (UnsafeMutablePointer<hr_buffer>, UnsafeMutablePointer<hr_error>) -> hr_status
    ) throws(CodecError) -> [UInt8] {
        var buffer = hr_buffer()
        defer { hr_buffer_free(&buffer) }
        try check(InputFormat(format), size: size) { write(&buffer, $0) }
        return Array(UnsafeBufferPointer(start: buffer.data, count: buffer.count))
    }
}
