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

extension SourceFormat {
    /// Whether a file may be animated, by its signature and a few bytes of its structure, without checking either.
    ///
    /// - Parameter bytes: The file.
    /// - Returns: False for stills of JPEG, PNG, WebP, AVIF and formats without animations; true for any GIF.
    package static func mayBeAnimated(_ bytes: ArraySlice<UInt8>) -> Bool {
        let head = Array(bytes.prefix(signatureLength))
        switch sniff(head) {
        case .gif: return true
        case .png: return PNGChunks.announceAnimation(bytes)
        // The flags of VP8X (RFC 9649, 2.7).
        case .webp: return head.count > 20 && head[12..<16].elementsEqual("VP8X".utf8) && head[20] & 2 != 0
        #if AVIF
        case .avif: return MediaBrands(head)?.isSequence ?? false
        #endif
        default: return false
        }
    }
}
