package import Geometry

/// The crop of one frame of a moving image.
package struct PlannedFrame: Hashable, Sendable {
    /// The number of the frame, counted from 0.
    package var frame: Int
    /// The crop inside the image, in fractions of pixels; with two panes, the first pane.
    package var crop: FractionalRect
    /// The parts of the image that the result shows.
    package var panes: Panes
    /// Whether the crop jumps here: the frame begins a shot other than the first, or the active speaker changes.
    package var isCut: Bool
    /// The number of the shot, counted from 0.
    package var shot: Int
    /// The number of people assumed in the frame.
    package var faces: Int

    /// Creates the crop of a frame.
    ///
    /// - Parameters:
    ///   - frame: Counted from 0.
    ///   - crop: In pixels of the frame, and inside the frame; with two panes, the first pane.
    ///   - panes: All parts in the result.
    ///   - isCut: Whether the crop jumps here instead of continuing the motion of the previous frame.
    ///   - shot: The number of the shot, counted from 0.
    ///   - faces: The number of people assumed in the frame.
    package init(frame: Int, crop: FractionalRect, panes: Panes = .one, isCut: Bool, shot: Int, faces: Int) {
        self.frame = frame
        self.crop = crop
        self.panes = panes
        self.isCut = isCut
        self.shot = shot
        self.faces = faces
    }
}
