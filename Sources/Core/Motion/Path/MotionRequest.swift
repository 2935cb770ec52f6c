package import Framing
package import Geometry

/// The requested properties of the crops of a moving image.
package struct MotionRequest: Sendable {
    /// The size of a frame, in pixels.
    package var size: PixelSize
    /// Frames per second.
    package var fps: Double
    /// The aspect ratio of the crops.
    package var aspect: AspectRatio
    /// Gravity, fallback, zoom, padding and place, as for stills.
    package var framing: FramingRequest
    /// The arrangement of people in the result.
    package var layout: Layout
    /// The part of the frame with a screen or slides, in pixels, which ``Layout/stack`` shows next to a person.
    package var screen: FractionalRect?

    /// Creates a request for crops of one aspect ratio.
    ///
    /// - Parameters:
    ///   - size: The size of a frame, in pixels.
    ///   - fps: Frames per second, above 0.
    ///   - aspect: The aspect ratio of the result: of one crop, or of both panes together.
    ///   - framing: Gravity, fallback, zoom, padding and place, as for stills.
    ///   - layout: The arrangement of people in the result.
    ///   - screen: A part of the frame with slides, in pixels, for ``Layout/stack``; nil for none.
    package init(
        size: PixelSize,
        fps: Double,
        aspect: AspectRatio,
        framing: FramingRequest = FramingRequest(),
        layout: Layout = .follow,
        screen: FractionalRect? = nil
    ) {
        self.size = size
        self.fps = fps
        self.aspect = aspect
        self.framing = framing
        self.layout = layout
        self.screen = screen
    }

    /// The widest crop of the aspect ratio.
    package var widest: SlidingCrop { SlidingCrop(aspect, in: size) }
}
