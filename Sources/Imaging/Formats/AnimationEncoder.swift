package import Geometry

/// Encodes animations.
package enum AnimationEncoder {
    /// Begins a file.
    ///
    /// - Parameters:
    ///   - format: A format with ``ImageFormat/keepsAnimation``.
    ///   - size: The size of every frame.
    ///   - plays: The number of times that it plays; 0 is for ever.
    ///   - quality: 1 to 100; nil for ``ImageEncoder/defaultQuality``.
    /// - Returns: The encoder.
    /// - Throws: ``CodecError/tooLarge(_:limit:)`` if the format cannot hold frames of the size.
    package static func begin(
        _ format: ImageFormat,
        size: PixelSize,
        plays: Int,
        quality: Int? = nil
    ) throws(CodecError) -> any AnimationWriter {
        let quality = EncodingOptions(quality: quality).knownQuality
        return switch format {
        case .webp: try WebPAnimationEncoder(size, plays: plays, quality: quality)
        case .gif: try GIFEncoder(size, plays: plays, quality: quality)
        #if AVIF
        case .avif: throw .failed("\(format.name) is written as a still picture only")
        #endif
        case .jpeg, .png: throw .failed("\(format.name) has no animations")
        }
    }
}
