package import Geometry

/// The crop of one frame of a moving picture.
package struct PlannedFrame: Hashable, Sendable {
    /// The number of the frame, counted from 0.
    package var frame: Int
    /// The crop inside the picture, in fractions of pixels.
    package var crop: FractionalRect
    /// Whether the crop jumps here: the frame begins a shot other than the first.
    package var isCut: Bool
    /// The number of the shot, counted from 0.
    package var shot: Int
    /// The number of people assumed in the frame.
    package var faces: Int

    /// A crop of a frame.
    package init(frame: Int, crop: FractionalRect, isCut: Bool, shot: Int, faces: Int) {
        self.frame = frame
        self.crop = crop
        self.isCut = isCut
        self.shot = shot
        self.faces = faces
    }
}
