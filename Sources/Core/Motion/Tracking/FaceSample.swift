package import Framing
import Geometry

/// The detections in one of the searched frames.
package struct FaceSample: Hashable, Sendable {
    /// The number of the frame, counted from 0.
    package var frame: Int
    /// The detections, in any order.
    package var faces: [FaceSighting]
    /// The attention profile of the frame; nil if it was not computed.
    package var attention: AttentionProfile?

    /// Creates the detections of one frame.
    ///
    /// - Parameters:
    ///   - frame: Counted from 0.
    ///   - faces: In any order, in pixels of the frame; empty if no face was found.
    ///   - attention: The attention profile of the frame; nil if it was not computed.
    package init(frame: Int, faces: [FaceSighting], attention: AttentionProfile? = nil) {
        self.frame = frame
        self.faces = faces
        self.attention = attention
    }
}
