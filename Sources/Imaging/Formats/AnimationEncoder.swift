package import Geometry

/// Encodes animations.
package enum AnimationEncoder {
    /// Begins a file.
    ///
    /// - Parameters:
    ///   - format: A format with ``ImageFormat/keepsAnimation``.
    ///   - size: The size of every frame.
    ///   - plays: The number of times that it plays; 0 is for ever.
    ///   - quality: 1 to 100; nil for the format's default.
    /// - Returns: The encoder.
    /// - Throws: ``CodecError/tooLarge(_:limit:)`` if the format cannot hold frames of the size.
    package static func begin(
        _ format: ImageFormat,
        size: PixelSize,
        plays: Int,
        quality: Int? = nil
    ) throws(CodecError) -> any AnimationWriter {
        let known = quality.map { min(max($0, 1), 100) }
        return switch format {
        case .webp: try WebPAnimationEncoder(size, plays: plays, quality: known ?? WebPEncoder.defaultQuality)
        case .gif: try GIFEncoder(size, plays: plays, quality: known ?? GIFEncoder.defaultQuality)
        case .jpeg, .png: throw .failed("\(format.name) has no animations")
        }
    }
}
