package import Geometry

/// The crop of one frame of a shot, and other panes.
package struct ShotFrame {
    /// The crop, in pixels of the frame; of several panes, the region of the first.
    package var crop: FractionalRect
    /// The panes of the result.
    package var panes: Panes
    /// The number of people in the frame.
    package var faces: Int

    /// Creates the crop of a frame.
    ///
    /// - Parameters:
    ///   - crop: In pixels of the frame; of several panes, the region of the first.
    ///   - panes: The panes of the result.
    ///   - faces: The number of people in the frame.
    package init(crop: FractionalRect, panes: Panes = .one, faces: Int) {
        (self.crop, self.panes, self.faces) = (crop, panes, faces)
    }
}
