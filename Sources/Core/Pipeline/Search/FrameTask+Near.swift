import FaceDetection
import Framing
import Geometry

/// The search around recently found faces, which is much faster than a search of the whole frame.
extension FrameTask {
    /// The margin around a face, as a multiple of the face's side.
    private static let room = 1.0
    /// The maximum number of pixels of the detector's input.
    package static let nearPixels = 1 << 19

    /// Returns the part of a frame around a face, and its size in the detector's input.
    ///
    /// - Parameters:
    ///   - face: The face in a recent frame.
    ///   - size: The size of the frame.
    ///   - scale: The scale that a detector needs for the face; it is reduced if the input would be too large.
    /// - Returns: Nil if the face or the part is empty.
    static func surroundings(
        of face: PixelRect,
        in size: PixelSize,
        scaledBy scale: Double
    ) -> (region: PixelRect, input: PixelSize)? {
        let region = face.grown(by: Int(room * Double(face.size.longSide)), in: size)
        guard face.area > 0, region.area > 0 else { return nil }
        let maximum = (Double(nearPixels) / Double(region.area)).squareRoot()
        return (region, region.size.scaled(by: min(scale, maximum, SearchPlan.maxEnlargement)))
    }
}

extension Face {
    /// Converts a detection to a face in the whole image.
    ///
    /// The detection is in `region`, which was scaled to `size`. The face is equal to the face of a whole image that
    /// was searched at the same scale.
    init?(_ detection: Detection, in region: PixelRect, scaledTo size: PixelSize, of whole: PixelSize) {
        let (across, down) = (Double(size.width) / Double(region.width), Double(size.height) / Double(region.height))
        let (x, y) = (Double(region.x) * across, Double(region.y) * down)
        var moved = detection
        moved.box = detection.box.moved(x: Int(x.rounded()), y: Int(y.rounded()))
        moved.consensus?.centreX += x
        moved.consensus?.centreY += y
        moved.landmarks = detection.landmarks?.mapped { PixelPoint(x: $0.x + x, y: $0.y + y) }
        let workingSize = PixelSize(
            width: max(1, Int((Double(whole.width) * across).rounded())),
            height: max(1, Int((Double(whole.height) * down).rounded()))
        )
        self.init(moved, workingSize: workingSize, in: whole, landmarks: moved.landmarks)
    }
}
