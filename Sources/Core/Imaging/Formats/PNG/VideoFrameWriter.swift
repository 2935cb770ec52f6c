package import Geometry

/// Writes the frames of a video for a program that encodes it: a lossless animated PNG without transparency.
///
/// Video encoders require even sides, so an odd side loses its last row or column. Programs read only the start time of
/// each frame, so the last frame ends with a repetition.
package final class VideoFrameWriter: AnimationWriter {
    /// The duration of the repetition of the last frame, in milliseconds; frames are longer.
    static let endDuration = 10

    /// The minimum side of a video, in pixels.
    package static let minSide = 2

    private let writer: APNGEncoder
    private let size: PixelSize

    /// Starts the frames of an animation.
    ///
    /// - Parameter size: The size of every frame that is added; its sides are at least ``minSide``.
    /// - Throws: ``CodecError`` if the sides are too large or too small.
    package init(_ size: PixelSize) throws(CodecError) {
        guard min(size.width, size.height) >= Self.minSide else { throw .failed("a video with a side of 1 pixel") }
        self.size = Self.size(of: size)
        writer = try APNGEncoder(self.size, AnimationOptions(plays: 1, quality: 100, hasAlpha: false))
    }

    /// Returns the size of a video with frames of a size: the largest even sides.
    package static func size(of size: PixelSize) -> PixelSize {
        PixelSize(width: size.width / 2 * 2, height: size.height / 2 * 2)
    }

    package func add(_ image: PlanarImage, milliseconds: Int) throws(CodecError) {
        guard Self.size(of: image.size) == size, image.colorModel == .rgb else {
            throw .failed("a frame of another kind")
        }
        let opaque = try image.flattened()
        let planes = opaque.planes.map { $0.cropped(to: PixelRect(size)) }
        try writer.add(PlanarImage(size: size, colorModel: .rgb, planes: planes), milliseconds: milliseconds)
    }

    package func finish() throws(CodecError) -> [UInt8] {
        try writer.repeatLastFrame(milliseconds: Self.endDuration)
        return try writer.finish()
    }
}
