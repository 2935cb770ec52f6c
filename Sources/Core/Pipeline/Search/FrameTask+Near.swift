import FaceDetection
import Framing
import Geometry
import Imaging

/// The search around recently found faces, which is much faster than a search of the whole frame.
extension FrameTask {
    /// The side of the scaled face in the detector's input, as a multiple of the smallest detectable side.
    ///
    /// A factor above 1 allows for a face that has become smaller.
    private static let enlargement = 1.4
    /// The margin around a face, as a multiple of the face's side.
    private static let room = 1.0
    /// The long side of a face in the network's input, in pixels.
    private static let nearSide = 64.0
    /// The maximum number of pixels of the detector's input.
    package static let nearPixels = 1 << 19

    static func search(
        _ frame: RawFrame,
        near face: PixelRect,
        _ network: FaceNetwork
    ) throws(PipelineError) -> [Face] {
        let region = surroundings(of: face, in: frame.size)
        guard face.area > 0, region.area > 0 else { return [] }
        let wanted = nearSide / Double(face.size.longSide)
        let maximum = (Double(nearPixels) / Double(region.area)).squareRoot()
        let input = region.size.scaled(by: min(wanted, maximum, SearchPlan.maxEnlargement))
        return try faces(in: frame, region, scaledTo: input, network).filter { $0.confidence >= doubtful }
    }

    private static func surroundings(of face: PixelRect, in size: PixelSize) -> PixelRect {
        face.grown(by: Int(room * Double(face.size.longSide)), in: size)
    }

    static func search(
        _ luma: Plane,
        near face: PixelRect,
        _ detector: inout any FaceDetector
    ) throws(PipelineError) -> [Face] {
        let region = surroundings(of: face, in: luma.size)
        guard face.area > 0, region.area > 0 else { return [] }
        let wanted = enlargement * Double(detector.smallestDetectableSide) / Double(face.size.shortSide)
        let maximum = (Double(nearPixels) / Double(region.area)).squareRoot()
        let size = region.size.scaled(by: min(wanted, maximum, SearchPlan.maxEnlargement))
        return try detections(in: luma, region, scaledTo: size, &detector)
            .compactMap { Face($0, in: region, scaledTo: size, of: luma.size) }
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
