import Geometry

/// A ``FaceSearch`` task for one image: its size, the passes of a detector for luma, and the faces that count.
///
/// It contains the caller's wishes, which are the same for all detectors. A search with other passes derives them from
/// the task, for example ``NetworkPasses``.
package struct SearchTask {
    /// The passes of a detector for luma.
    let plan: SearchPlan
    /// The size of the upright source; detections are in its pixels.
    let size: PixelSize
    /// The side of the smallest face that counts, in pixels of the source; nil accepts every detection.
    var smallestFace: Double?
    /// The effort of the search.
    var accuracy = Accuracy.high
    /// Whether an image without upright faces is also searched rotated by 90, 180 and 270 degrees.
    var searchesTurned = true
    /// Whether subjects are searched even if a face is certain.
    var searchesSubjects = false
    /// Whether a further pass may run only to make the boxes of faces more exact.
    var refinesBoxes = true
    /// The part of the source that the caller requested; nil for the whole source.
    var region: PixelRect?

    /// The minimum score, relative to the detector's threshold, of detections that are reported as ignored.
    static let doubtful = -0.3

    /// The minimum score of a redacted detection; a detection with a score of 0 or more counts as a face.
    ///
    /// Of 215 annotated faces, 79 % have a score of at least 0, 81 % at least −0.15 and 84 % at least −0.3. In 96
    /// photographs, these thresholds gave 1, 1 and 4 false alarms.
    package static let minRedacted = -0.3

    /// Returns the result without faces that are too small, largest first, and with boxes inside the image.
    func settled(_ findings: DetectionResult) -> DetectionResult {
        var findings = findings
        if let smallestFace {
            func isSmall(_ face: Face) -> Bool { Double(face.box.size.longSide) < smallestFace }
            findings.ignored += findings.faces.filter(isSmall).map { IgnoredFace($0, .size, in: size) }
            findings.faces.removeAll(where: isSmall)
        }
        findings.faces.sort(by: Face.isLarger)
        for index in findings.faces.indices {
            findings.faces[index].box = findings.faces[index].box.intersection(PixelRect(size))
        }
        if !findings.faces.isEmpty, !searchesSubjects { findings.subjects = nil }
        return findings
    }

    /// Returns the faces that are large enough to count, largest first.
    func large(_ faces: [Face]) -> [Face] {
        let smallest = smallestFace ?? 0
        return faces.filter { Double($0.box.size.longSide) >= smallest }.sorted(by: Face.isLarger)
    }
}
