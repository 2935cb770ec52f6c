package import FaceDetection
package import Framing
package import Geometry
package import Imaging

/// Range checks for the numbers of an image; sums and products of valid numbers cannot overflow.
package protocol PlausibleNumbers {}

extension PlausibleNumbers {
    /// Whether the sides can be multiplied without overflow.
    package func isSide(_ length: Int) -> Bool { (1...1 << 24).contains(length) }

    /// Whether an image has the size, within the limits.
    package func isPossible(_ size: PixelSize, _ limits: DecodeLimits) -> Bool {
        isSide(size.width) && isSide(size.height) && size.area <= limits.maxPixels && size.longSide <= limits.maxSide
    }

    /// Whether a rectangle lies inside `whole`, a rectangle at the origin; the rectangle may be empty.
    package func isInside(_ rect: PixelRect, in whole: PixelRect) -> Bool {
        rect.x >= 0 && rect.y >= 0 && rect.width >= 0 && rect.height >= 0 && rect.x <= whole.width
            && rect.y <= whole.height && rect.width <= whole.width && rect.height <= whole.height
            && whole.contains(rect)
    }

    /// Whether sums and products of the rectangle's numbers cannot overflow; it may extend beyond the image.
    package func isModest(_ rect: PixelRect) -> Bool {
        [rect.x, rect.y, rect.width, rect.height].allSatisfy { (-(1 << 28)...1 << 28).contains($0) }
    }

    /// Whether a face has a non-empty box inside the image and valid numbers.
    package func isFace(_ face: Face, in whole: PixelRect) -> Bool {
        isScore(face.confidence) && isInside(face.box, in: whole) && face.box.area > 0
            && isSubject(face.subject, in: whole)
            && [face.landmarks, face.roughLandmarks].compactMap(\.self).allSatisfy(isLandmarks)
            && face.frame.map { (0..<1 << 24).contains($0) } ?? true
    }

    /// Whether the face and the head are inside an image, and the other numbers are valid.
    package func isSubject(_ subject: Subject, in whole: PixelRect) -> Bool {
        [subject.face, subject.head].allSatisfy { isInside($0, in: whole) && $0.area > 0 }
            && subject.head.contains(subject.face)
            && (1...Subject.certain).contains(subject.reliability) && (0...1 << 24).contains(subject.tolerance)
            && subject.score.map { isScore(Double($0)) } ?? true
            && subject.sharpness.map { (0...Sharpness.full).contains($0) } ?? true
    }

    /// Whether all subjects lie inside an image and have valid scores, and their count and search time are valid.
    package func isSubjects(_ findings: SubjectFindings, in whole: PixelRect) -> Bool {
        findings.subjects.count <= SubjectFindings.maximumCount && isTime(findings.duration)
            && findings.subjects.allSatisfy { isSubject($0, in: whole) }
    }

    /// Whether a subject is not empty, lies inside an image, and has a score from 0 to 1.
    package func isSubject(_ subject: DetectedSubject, in whole: PixelRect) -> Bool {
        let box = subject.box
        // Comparisons with NaN are false.
        return (0...1).contains(subject.score) && box.x >= 0 && box.y >= 0 && box.width > 0 && box.height > 0
            && box.x + box.width <= Double(whole.width) && box.y + box.height <= Double(whole.height)
    }

    /// Whether a subject of a plan and its head lie inside an image, with a score from 0 to 1.
    package func isSubject(_ subject: PlannedSubject, in whole: PixelRect) -> Bool {
        (0...1).contains(subject.score) && isInside(subject.box, in: whole)
            && subject.head.map { isInside($0, in: whole) } ?? true
    }

    /// Whether the landmarks are close enough to an image to be drawn and written.
    package func isLandmarks(_ landmarks: FaceLandmarks) -> Bool {
        landmarks.points.allSatisfy { [$0.x, $0.y].allSatisfy { (-1e9...1e9).contains($0) } }
            && (0...1).contains(landmarks.confidence)
    }

    /// Whether an ignored detection lies inside an image and has a finite score.
    package func isIgnored(_ face: IgnoredFace, in whole: PixelRect) -> Bool {
        isInside(face.box, in: whole) && isScore(face.confidence)
    }

    /// Whether a duration is between 0 and one day, so that sums cannot overflow.
    package func isTime(_ duration: Duration) -> Bool { (.zero ... .seconds(86_400)).contains(duration) }

    /// Whether an animation has 2 to 2²⁴ frames, and a valid duration and number of plays.
    package func isAnimation(_ animation: AnimationInfo) -> Bool {
        (2...1 << 24).contains(animation.frames) && (0...1 << 53).contains(animation.duration)
            && (0...1 << 32).contains(animation.plays)
    }

    /// Whether the list of searched frames is one that a search can produce.
    package func isSample(_ frames: [Int]) -> Bool {
        (1...DetectionResult.maxFrames).contains(frames.count) && frames.allSatisfy { (0..<1 << 24).contains($0) }
    }

    /// Whether a detector's score is finite, and stays finite when it is rounded.
    package func isScore(_ confidence: Double) -> Bool { (-1e9...1e9).contains(confidence) }

    /// Whether the size, duration and smallest face of a pass are valid.
    package func isPass(_ pass: DetectionPass) -> Bool {
        isSide(pass.workingSize.width) && isSide(pass.workingSize.height) && isTime(pass.duration)
            && (0...Double(1 << 24)).contains(pass.smallestFace)
    }
}
