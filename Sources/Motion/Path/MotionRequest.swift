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
    /// How people share the result.
    package var layout: Layout
    /// The part of the frame with a screen or slides, in pixels, which ``Layout/stack`` shows beside a person.
    package var screen: FractionalRect?

    /// A request for crops of a shape.
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

    /// The widest crop of the shape.
    var widest: SlidingCrop { SlidingCrop(aspect, in: size) }
}

/// The crop of one frame of a moving picture.
package struct PlannedFrame: Hashable, Sendable {
    /// The number of the frame, counted from 0.
    package var frame: Int
    /// The crop inside the picture, in fractions of pixels; of two panes the first one.
    package var crop: FractionalRect
    /// What else the result shows.
    package var panes: Panes
    /// Whether the crop jumps here: the frame begins a shot other than the first, or another person has the floor.
    package var isCut: Bool
    /// The number of the shot, counted from 0.
    package var shot: Int
    /// The number of people assumed in the frame.
    package var faces: Int

    /// A crop of a frame.
    package init(frame: Int, crop: FractionalRect, panes: Panes = .one, isCut: Bool, shot: Int, faces: Int) {
        self.frame = frame
        self.crop = crop
        self.panes = panes
        self.isCut = isCut
        self.shot = shot
        self.faces = faces
    }
}

/// How the people of a video share its result.
package enum Layout: String, CaseIterable, Codable, Sendable {
    /// One crop that holds as many heads as it can.
    case follow
    /// One crop that stays on a person until another has the floor.
    case hold
    /// Two people, or a person and a screen, above one another or side by side.
    case stack
    /// The whole picture on a blurred enlargement of itself.
    case wide
    /// One of the others for each shot.
    case auto
}

/// What a frame of the result shows.
package enum Panes: Hashable, Sendable {
    /// The crop.
    case one
    /// The crop, which takes a share of the result, and below it (in a wide result on its right) another part.
    case two(FractionalRect, share: Double)
    /// The whole picture, on a blurred enlargement of its middle.
    case whole
}
