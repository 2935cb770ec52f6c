package import FaceDetection
package import Framing
package import Geometry

/// A detected face and the head around it, in pixels of the upright source.
package struct Face: Codable, Sendable {
    /// The detector's box; clipped to the image at the end of the search.
    package var box: PixelRect
    /// The detector's raw score.
    package var confidence: Double
    /// The pose of the head, if the detector provides it.
    package var pose: Pose?
    /// The kind of detector that found the face.
    ///
    /// The relation between `box`, the face and the head depends on it.
    package var finder = Detection.Finder.detector
    /// Whether the second detector also found this face of the network.
    package var isConfirmed = false
    /// The mean of all detection windows of the face, if the detector provides it.
    var consensus: Consensus?
    /// The eyes, nose and mouth, in pixels of the upright source; nil if the detector provides neither landmarks nor a
    /// pose.
    package var landmarks: FaceLandmarks?
    /// The network's landmarks, where the search for ``landmarks`` starts; nil for a face of another detector.
    package var roughLandmarks: FaceLandmarks?
    /// The input of framing.
    package var subject: Subject
    /// The frame of an animation that shows the face, counted from 0; nil for a still image.
    package var frame: Int?

    /// The head with its hair, clipped to the image.
    package var head: PixelRect { subject.head }

    /// The landmarks, if their confidence is at least ``FaceLandmarks/minConfidence``.
    var sureLandmarks: FaceLandmarks? { landmarks?.ifSure }

    /// The input of framing.
    ///
    /// It includes the height of the eyes if ``sureLandmarks`` are inside the face.
    package var subjectWithEyes: Subject {
        var subject = subject
        guard let landmarks = sureLandmarks else { return subject }
        let eyes = (landmarks.leftEye.y + landmarks.rightEye.y) / 2
        let rows = subject.face.rows
        if eyes >= Double(rows.lowerBound), eyes <= Double(rows.upperBound) { subject.eyes = eyes }
        return subject
    }

    /// Creates the face of a detection; nil if no part of the face is inside the image.
    ///
    /// - Parameters:
    ///   - detection: A detection in pixels of the detector's input image.
    ///   - workingSize: The size of the detector's input image.
    ///   - size: The size of the source, in the same orientation.
    ///   - landmarks: The landmarks, in pixels of the detector's input image.
    init?(_ detection: Detection, workingSize: PixelSize, in size: PixelSize, landmarks: FaceLandmarks? = nil) {
        box = detection.box.scaled(from: workingSize, to: size)
        confidence = detection.confidence
        pose = detection.pose
        consensus = detection.consensus?.scaled(from: workingSize, to: size)
        self.landmarks = landmarks?.mapped { $0.scaled(from: workingSize, to: size) }
        finder = detection.finder
        if finder == .network { roughLandmarks = self.landmarks }
        subject = Self.subject(box, pose, confidence, consensus, finder, in: size)
        guard box.intersection(PixelRect(size)).area > 0, subject.face.area > 0, subject.head.area > 0 else {
            return nil
        }
    }

    /// The detectors that found a face when a network and another detector were used.
    package enum Finders: String, Sendable, CaseIterable {
        case network, detector, both
    }

    /// The detectors that found the face; ``Finders/detector`` if the search had no network.
    package var finders: Finders { finder == .detector ? .detector : isConfirmed ? .both : .network }

    /// Returns the names of the detectors that found the face.
    ///
    /// - Parameter detector: The name of the detector, which may consist of the names of a network and another
    ///   detector.
    /// - Returns: One or two names; the detector of the box comes first.
    package func finders(of detector: String) -> [String] {
        let both = FaceNetwork.name + "+"
        let other = detector.hasPrefix(both) ? String(detector.dropFirst(both.count)) : detector
        return switch finders {
        case .network: [FaceNetwork.name]
        case .detector: [other]
        case .both: [FaceNetwork.name, other]
        }
    }

    /// Merges a detection of the same face by another pass; `size` is the source's size.
    mutating func merge(_ other: Face, in size: PixelSize) {
        guard let consensus, let another = other.consensus, box.overlap(with: other.box) > Consensus.minOverlap else {
            return
        }
        let merged = consensus.merged(with: another)
        let subject = Self.subject(box, pose, confidence, merged, finder, in: size)
        guard subject.face.area > 0, subject.head.area > 0 else { return }
        self.consensus = merged
        self.subject = subject
    }

    /// Averages this box with the box of another network pass for the same face; `size` is the source's size.
    mutating func average(with other: Face, in size: PixelSize) {
        func mean(_ one: Int, _ two: Int) -> Int { (one + two) / 2 }
        let (left, top) = (mean(box.x, other.box.x), mean(box.y, other.box.y))
        let both = PixelRect(
            x: left,
            y: top,
            width: mean(box.maxX, other.box.maxX) - left,
            height: mean(box.maxY, other.box.maxY) - top
        )
        confidence = max(confidence, other.confidence)
        let subject = Self.subject(both, pose, confidence, consensus, finder, in: size)
        guard both.intersection(PixelRect(size)).area > 0, subject.face.area > 0, subject.head.area > 0 else { return }
        box = both
        self.subject = subject
    }

    /// Whether the first face is larger.
    ///
    /// If the areas are equal, the score and then the horizontal position decide, so the order is deterministic.
    package static func isLarger(_ left: Face, _ right: Face) -> Bool {
        (left.box.area, left.confidence, -left.box.x, -(left.frame ?? 0))
            > (right.box.area, right.confidence, -right.box.x, -(right.frame ?? 0))
    }

    /// Returns the face and head of a detection.
    ///
    /// Both are computed from the unclipped box, so that a face at the image's edge keeps its proportions.
    private static func subject(
        _ box: PixelRect,
        _ pose: Pose?,
        _ confidence: Double,
        _ consensus: Consensus?,
        _ finder: Detection.Finder,
        in size: PixelSize
    ) -> Subject {
        func grown(_ growth: (Pose?) -> HeadGrowth, ofNetwork: HeadGrowth) -> PixelRect {
            if finder == .network { return ofNetwork.grown(box, in: size) }
            guard let consensus else { return growth(pose).grown(box, in: size) }
            return HeadGrowth.mean(of: consensus.poses, growth)
                .grown(centreX: consensus.centreX, centreY: consensus.centreY, side: consensus.side, in: size)
        }
        let face = grown(HeadGrowth.face, ofNetwork: .networkFace)
        var subject = Subject(
            face: face,
            head: grown(HeadGrowth.head, ofNetwork: .networkHead),
            reliability: reliability(confidence),
            tolerance: Int((PeopleConstants.chosen.tolerance * Double(face.height)).rounded())
        )
        subject.score = Int((min(max(confidence, -Subject.maxScore), Subject.maxScore) * 1000).rounded())
        return subject
    }

    /// Returns the reliability of a detection by its score: one half at −0.25, and nearly 1 at 0.5 or more.
    ///
    /// This is a logistic function of dlib's score: one certain face outweighs an uncertain face, and many certain
    /// faces outweigh a few.
    private static func reliability(_ confidence: Double) -> Int {
        // 1 / (1 + 2^-x) avoids Foundation's exp; any base is suitable.
        let steps = (confidence + 0.25) * 7
        let share = 1 / (1 + power(ofTwo: -steps))
        return min(Subject.certain, max(1, Int((share * Double(Subject.certain)).rounded())))
    }

    private static func power(ofTwo exponent: Double) -> Double {
        let bounded = min(max(exponent, -60), 60)
        let whole = bounded.rounded(.down)
        // Linear interpolation between powers of two is monotonic and within 9 %.
        return Double(sign: .plus, exponent: Int(whole), significand: 1 + (bounded - whole))
    }
}
