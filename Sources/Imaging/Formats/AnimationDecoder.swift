/// Decodes animations.
package enum AnimationDecoder {
    /// The frames of an animation from the first on.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - header: The result of ``ImageHeader/read(_:)`` for the same bytes, which has an animation.
    ///   - limits: Limits of one frame, checked before decoding.
    /// - Returns: At most as many frames as the header states, each of the upright canvas's size.
    /// - Throws: ``CodecError``.
    package static func frames(
        _ bytes: [UInt8],
        header: ImageHeader,
        limits: DecodeLimits = DecodeLimits()
    ) throws(CodecError) -> any FrameStream {
        try limits.check(header, scale: .full)
        guard let animation = header.animation else { throw .failed("a picture without an animation") }
        return switch header.format {
        case .gif: try GIFFrames(bytes, screen: header.storedSize)
        case .webp: try WebPFrames(bytes, orientation: header.orientation)
        case .png: try APNGFrames(bytes, orientation: header.orientation, limits: limits)
        #if AVIF
        case .avif: try AVIFFrames(bytes, frames: animation.frames, limits: limits)
        #endif
        default: throw .failed("a picture without an animation")
        }
    }
}
