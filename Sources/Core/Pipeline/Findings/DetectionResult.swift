import BinaryCoding
package import Framing
package import Geometry

/// The result of a face search, which can be reused to frame any crop of the same image.
///
/// The result depends only on the search options of a job (``FrameJob/searchKey``), so jobs with equal search options
/// share it.
package struct DetectionResult: Codable, Sendable {
    /// The maximum number of searched frames of an animation.
    package static let maxFrames = 8

    /// The size of the upright image; all rectangles are in its pixels.
    package let size: PixelSize
    /// The detector's name.
    package let detectorName: String
    /// The faces, largest first.
    package var faces: [Face] = []
    /// Detections that do not count as faces.
    var ignored: [IgnoredFace] = []
    /// People, animals and things; nil if a face was found, unless the job always requires subjects.
    package var subjects: SubjectFindings?
    /// The detection passes, in order.
    var passes: [DetectionPass] = []
    /// The searched frames of an animation, counted from 0; nil if one image was searched.
    var frames: [Int]?
    /// Whether a part of the searched image is lost.
    var isDamaged = false

    init(size: PixelSize, detectorName: String) {
        self.size = size
        self.detectorName = detectorName
    }

    /// The total time of all passes and of the subject search.
    var duration: Duration { passes.reduce(subjects?.duration ?? .zero) { $0 + $1.duration } }

    /// The approximate size in memory, in bytes.
    package var bytes: Int {
        256 + faces.count * MemoryLayout<Face>.stride * 2 + ignored.count * MemoryLayout<IgnoredFace>.stride
            + passes.count * MemoryLayout<DetectionPass>.stride
            + (subjects?.subjects.count ?? 0) * MemoryLayout<DetectedSubject>.stride
    }

    // MARK: Area

    /// Returns the detections in a part of the image; faces with at least half of their box in the part are clipped to
    /// it.
    ///
    /// All other faces become ignored detections. Subjects with at least half of their box in the part are clipped as
    /// well. Rectangles stay in pixels of the whole image.
    func restricted(to area: PixelRect) -> DetectionResult {
        guard area != PixelRect(size) else { return self }
        var part = self
        part.subjects?.subjects = subjects?.subjects.compactMap { $0.clipped(to: area) } ?? []
        part.faces = faces.compactMap { $0.clipped(to: area) }
        part.ignored += faces.filter { $0.clipped(to: area) == nil }.map { IgnoredFace($0, .region, in: size) }
        return part
    }
}

extension DetectionResult {
    /// Adds the detections of one frame of an animation.
    mutating func add(_ findings: DetectionResult, of frame: Int) {
        for var face in findings.faces {
            face.frame = frame
            faces.append(face)
        }
        faces.sort(by: Face.isLarger)
        ignored += findings.ignored
        passes += findings.passes
    }

    /// Returns the detections below the threshold in `area`, in its pixels, if no face was found.
    ///
    /// The result is nil if the image must be assumed to show people: if no pass ran, if a detection was ignored for
    /// another reason than its score, or if the search used ``Accuracy/low``, which misses many faces, without the
    /// subject network.
    package func doubtfulFaces(after accuracy: Accuracy, in area: PixelRect) -> FacePlausibility? {
        let near = ignored.filter { $0.reason != .region && $0.box.liesMostly(in: area) }
        guard accuracy.missesFew || subjects != nil, !passes.isEmpty, faces.isEmpty,
            near.allSatisfy({ $0.reason == .confidence })
        else { return nil }
        return FacePlausibility(near.map { $0.box.moved(x: -area.x, y: -area.y) }, in: area.size)
    }
}

extension Face {
    /// Returns the face, with face and head clipped to `area`; nil if more than half of its box is outside.
    fileprivate func clipped(to area: PixelRect) -> Face? {
        guard box.liesMostly(in: area) else { return nil }
        var face = self
        face.subject.face = subject.face.intersection(area)
        face.subject.head = subject.head.intersection(area)
        return face.subject.face.area > 0 ? face : nil
    }
}

extension PixelRect {
    /// Whether at least half of the rectangle lies in another rectangle.
    fileprivate func liesMostly(in area: PixelRect) -> Bool { 2 * intersection(area).area >= self.area }
}
