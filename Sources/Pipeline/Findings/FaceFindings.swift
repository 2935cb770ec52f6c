import BinaryCoding
import Framing
package import Geometry

/// The result of a search for faces, complete enough to frame any crop of the same picture without another search.
///
/// It does not depend on what else a job asks, so that it serves every job that asks for the same search; see
/// ``FrameJob/searchKey``.
package struct FaceFindings: Codable, Sendable {
    /// The upright picture's size; rectangles are in its pixels.
    package let size: PixelSize
    /// The detector's name.
    package let detectorName: String
    /// The largest first.
    var faces: [Face] = []
    /// Faces that do not count.
    var ignored: [IgnoredFace] = []
    /// The passes of the detector, in their order.
    var looks: [DetectionPass] = []

    init(size: PixelSize, detectorName: String) {
        self.size = size
        self.detectorName = detectorName
    }

    /// The time of all passes together.
    var duration: Duration { looks.reduce(.zero) { $0 + $1.duration } }

    /// Approximate size in memory, in bytes.
    package var bytes: Int {
        256 + faces.count * MemoryLayout<Face>.stride * 2 + ignored.count * MemoryLayout<IgnoredFace>.stride
            + looks.count * MemoryLayout<DetectionPass>.stride
    }
}

extension FaceFindings {
    /// The detections below the threshold if there are no others; nil if people are expected in any case, because the
    /// search misses many, or faces were too small to count.
    func doubtfulFaces(after accuracy: Accuracy) -> FacePlausibility? {
        guard accuracy.missesFew, !looks.isEmpty, faces.isEmpty, ignored.allSatisfy({ $0.reason == .confidence })
        else { return nil }
        return FacePlausibility(ignored.map(\.box), in: size)
    }
}
