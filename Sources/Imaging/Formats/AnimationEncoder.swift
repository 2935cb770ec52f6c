package import Geometry

/// Encodes animations.
package enum AnimationEncoder {
    /// Begins a file.
    ///
    /// - Parameters:
    ///   - format: A format with ``ImageFormat/keepsAnimation``.
    ///   - size: The size of every frame.
    ///   - plays: The number of times that it plays; 0 is for ever.
    ///   - quality: 1 to 100; nil for ``ImageEncoder/defaultQuality``. PNG has none.
    ///   - copyright: A notice for AVIF; ``CopyrightNotice/added(toAnimation:as:_:)`` adds it to files of other formats.
    ///   - hasAlpha: Whether frames may be transparent, which AVIF has to know before the first.
    /// - Returns: The encoder.
    /// - Throws: ``CodecError/tooLarge(_:limit:)`` if the format cannot hold frames of the size.
    package static func begin(
        _ format: ImageFormat,
        size: PixelSize,
        plays: Int,
        quality: Int? = nil,
        copyright: CopyrightNotice? = nil,
        hasAlpha: Bool = true
    ) throws(CodecError) -> any AnimationWriter {
        let quality = EncodingOptions(quality: quality).knownQuality
        return switch format {
        case .webp: try WebPAnimationEncoder(size, plays: plays, quality: quality)
        case .gif: try GIFEncoder(size, plays: plays, quality: quality)
        case .png: try APNGEncoder(size, plays: plays)
        #if AVIF
        case .avif: try AVIFAnimationEncoder(size, quality: quality, copyright: copyright, hasAlpha: hasAlpha)
        #endif
        case .jpeg: throw .failed("\(format.name) has no animations")
        }
    }

    /// The memory that an encoder takes for itself and the file, in bytes.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - size: The size of every frame.
    ///   - pixels: The pixels of all frames together.
    ///   - hasAlpha: Whether frames may be transparent.
    /// - Returns: An upper estimate. libwebp keeps six pictures of four bytes a pixel, one is kept to compare, and a file is
    ///   copied twice as it grows.
    package static func bytesNeeded(_ format: ImageFormat, size: PixelSize, pixels: Int, hasAlpha: Bool) -> Int {
        switch format {
        case .jpeg, .webp, .gif: return size.area * 36 + pixels * 2
        // Without loss, noise takes as many bytes as in memory.
        case .png: return size.area * 20 + pixels * 10
        #if AVIF
        case .avif:
            return size.area * 16 + pixels * 2 + AVIFAnimationEncoder.bytesNeeded(size, hasAlpha: hasAlpha)
        #endif
        }
    }
}
