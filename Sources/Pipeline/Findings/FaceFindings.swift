import BinaryCoding
import Framing
package import Geometry

/// The result of a search for faces; any crop of the same picture can be framed with it, without another search.
///
/// It depends only on the search options of a job (``FrameJob/searchKey``), so jobs with equal search options share it.
package struct FaceFindings: Codable, Sendable {
    /// The most frames of an animation that are searched.
    package static let mostFrames = 8

    /// The size of the upright picture; all rectangles are in its pixels.
    package let size: PixelSize
    /// The detector's name.
    package let detectorName: String
    /// The faces, largest first.
    var faces: [Face] = []
    /// Detections that do not count as faces.
    var ignored: [IgnoredFace] = []
    /// The detection passes, in their order.
    var looks: [DetectionPass] = []
    /// The frames of an animation that were searched, counted from 0; nil if one picture was.
    var frames: [Int]?
    /// Whether a part of the searched picture is lost.
    var isDamaged = false

    init(size: PixelSize, detectorName: String) {
        self.size = size
        self.detectorName = detectorName
    }

    /// The total time of all passes.
    var duration: Duration { looks.reduce(.zero) { $0 + $1.duration } }

    /// Approximate size in memory, in bytes.
    package var bytes: Int {
        256 + faces.count * MemoryLayout<Face>.stride * 2 + ignored.count * MemoryLayout<IgnoredFace>.stride
            + looks.count * MemoryLayout<DetectionPass>.stride
    }
}

extension FaceFindings {
    /// Adds the findings in one frame of an animation.
    mutating func add(_ findings: FaceFindings, of frame: Int) {
        for face in findings.faces {
            var face = face
            face.frame = frame
            faces.append(face)
        }
        faces.sort(by: Face.isLarger)
        ignored += findings.ignored
        looks += findings.looks
    }

    /// The detections below the threshold if there are no others; nil if people are expected in any case, because the
    /// search misses many, or faces were too small to count.
    ///
    /// - Parameters:
    ///   - accuracy: The effort of the search.
    ///   - area: The framed part of the picture; detections outside do not count.
    /// - Returns: The detections in pixels of `area`.
    func doubtfulFaces(after accuracy: Accuracy, in area: PixelRect) -> FacePlausibility? {
        let near = ignored.filter { $0.reason != .region && $0.box.liesMostly(in: area) }
        guard accuracy.missesFew, !looks.isEmpty, faces.isEmpty, near.allSatisfy({ $0.reason == .confidence })
        else { return nil }
        return FacePlausibility(near.map { $0.box.moved(x: -area.x, y: -area.y) }, in: area.size)
    }
}
