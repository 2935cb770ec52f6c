package import Framing
package import Geometry

/// What is asked of the crops of a moving picture.
package struct MotionRequest: Sendable {
    /// The size of a frame, in pixels.
    package var size: PixelSize
    /// Frames a second.
    package var fps: Double
    /// The shape of the crops.
    package var aspect: AspectRatio
    /// Gravity, fallback, zoom, padding and place, as for stills.
    package var framing: FramingRequest

    /// A request for crops of a shape.
    package init(size: PixelSize, fps: Double, aspect: AspectRatio, framing: FramingRequest = FramingRequest()) {
        self.size = size
        self.fps = fps
        self.aspect = aspect
        self.framing = framing
    }

    /// The widest crop of the shape.
    var widest: SlidingCrop { SlidingCrop(aspect, in: size) }
}
