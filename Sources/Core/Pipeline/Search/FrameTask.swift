package import Geometry

/// A ``FaceSearch`` task for the frames of a video: their size, the smallest face, and the passes.
///
/// Unlike a still image, a frame is only searched upright. The result includes detections below the threshold, because
/// they can continue tracks from other frames.
package struct FrameTask: Sendable {
    /// The smallest face that a detector for luma searches, as a fraction of the frame's short side, unless the caller
    /// sets another fraction.
    ///
    /// There are two passes, with 720 and 1,333 rows. A third pass for smaller faces would take as long as both
    /// together, and finds more faces in only a few frames.
    package static let smallestFace = 0.06

    /// The size of the frames.
    package let size: PixelSize
    /// The smallest face that the caller requested, as a fraction of the short side; nil for the detector's default.
    let smallestFace: Double?
    /// The passes of a detector for luma.
    let plan: SearchPlan

    /// The minimum score of an uncertain detection, relative to the detector's threshold.
    static let doubtful = -0.3

    /// Creates a task for frames of a size.
    ///
    /// - Parameters:
    ///   - size: The size of the frames.
    ///   - smallestFace: The smallest face, as a fraction of the short side; nil for the detector's default.
    ///   - smallestDetectableSide: The smallest face that the detector finds, in pixels of its input.
    package init(size: PixelSize, smallestFace: Double?, smallestDetectableSide: Int) {
        self.size = size
        self.smallestFace = smallestFace
        plan = Self.plan(for: size, smallestFace: smallestFace, smallestDetectableSide: smallestDetectableSide)
    }

    /// Plans the passes of a detector for luma.
    ///
    /// - Parameters:
    ///   - size: The size of the frames.
    ///   - smallestFace: The smallest face, as a fraction of the short side; nil for the detector's default.
    ///   - smallestDetectableSide: The smallest face that the detector finds, in pixels of its input.
    /// - Returns: The sizes of the detector's input, in ascending order.
    package static func plan(for size: PixelSize, smallestFace: Double?, smallestDetectableSide: Int) -> SearchPlan {
        let smallest = smallestFace ?? Self.smallestFace
        return SearchPlan(for: size, smallestFace: smallest, smallestDetectableSide: smallestDetectableSide)
    }
}
