import BinaryCoding
package import FaceDetection
package import Framing
package import Geometry
package import Imaging

/// Validates detection results from any source before framing uses them.
///
/// A valid result can still be wrong about the image, but its numbers cannot overflow arithmetic and can be written as
/// JSON.
package struct FindingsCheck: PlausibleNumbers {
    package let limits: PipelineLimits
    package let detectorName: String

    /// Creates a check for the results of one detector.
    ///
    /// - Parameters:
    ///   - limits: The limits on the image.
    ///   - detectorName: The name that the results must have.
    package init(limits: PipelineLimits, detectorName: String) {
        self.limits = limits
        self.detectorName = detectorName
    }

    /// Returns the first problem of a result; nil if it is valid.
    package func problem(in findings: DetectionResult) -> String? {
        let size = findings.size
        guard isPossible(size, limits.decode) else { return "detections of an image that is too large" }
        guard findings.detectorName == detectorName,
            findings.passes.allSatisfy(isPass), findings.frames.map(isSample) ?? true
        else { return "detections of another detector" }
        let whole = PixelRect(size)
        let isValid =
            findings.faces.allSatisfy { isFace($0, in: whole) }
            && findings.ignored.allSatisfy { isIgnored($0, in: whole) }
            && findings.subjects.map { isSubjects($0, in: whole) } ?? true
        return isValid ? nil : "a face outside the image"
    }
}

extension DetectionResult {
    /// Decodes a result that ``BinaryCoder`` encoded, in memory that other processes can write to.
    ///
    /// The value is nil for a result that no search can produce.
    ///
    /// - Parameters:
    ///   - bytes: Untrusted bytes.
    ///   - detectorName: The name of the detector in use.
    ///   - limits: The limits on images.
    package init?(decoding bytes: [UInt8], detectorName: String, limits: PipelineLimits) {
        guard let findings = try? BinaryCoder.value(DetectionResult.self, from: bytes),
            FindingsCheck(limits: limits, detectorName: detectorName).problem(in: findings) == nil
        else { return nil }
        self = findings
    }
}

/// Range checks for numbers about an image; valid numbers can be added and multiplied without overflow.
package protocol PlausibleNumbers {}

extension PlausibleNumbers {
    /// Whether the sides can be multiplied without overflow.
    package func isSide(_ length: Int) -> Bool { (1...1 << 24).contains(length) }

    /// Whether an image has the size, within the limits.
    package func isPossible(_ size: PixelSize, _ limits: DecodeLimits) -> Bool {
        isSide(size.width) && isSide(size.height) && size.area <= limits.maxPixels && size.longSide <= limits.maxSide
    }

    /// Whether a rectangle, which may be empty, lies inside another rectangle at the origin, such as a whole image.
    package func isInside(_ rect: PixelRect, in whole: PixelRect) -> Bool {
        rect.x >= 0 && rect.y >= 0 && rect.width >= 0 && rect.height >= 0 && rect.x <= whole.width
            && rect.y <= whole.height && rect.width <= whole.width && rect.height <= whole.height
            && whole.contains(rect)
    }

    /// Whether the rectangle, which may extend beyond the image, can be added and multiplied without overflow.
    package func isModest(_ rect: PixelRect) -> Bool {
        [rect.x, rect.y, rect.width, rect.height].allSatisfy { (-(1 << 28)...1 << 28).contains($0) }
    }

    /// Whether a face has a non-empty box and possible numbers, all inside an image in the same pixels.
    package func isFace(_ face: Face, in whole: PixelRect) -> Bool {
        isScore(face.confidence) && isInside(face.box, in: whole) && face.box.area > 0
            && isSubject(face.subject, in: whole)
            && [face.landmarks, face.roughLandmarks].compactMap(\.self).allSatisfy(isLandmarks)
            && face.frame.map { (0..<1 << 24).contains($0) } ?? true
    }

    /// Whether face and head are parts of an image, and the other numbers are possible.
    package func isSubject(_ subject: Subject, in whole: PixelRect) -> Bool {
        [subject.face, subject.head].allSatisfy { isInside($0, in: whole) && $0.area > 0 }
            && subject.head.contains(subject.face)
            && (1...Subject.certain).contains(subject.reliability) && (0...1 << 24).contains(subject.tolerance)
            && subject.score.map { isScore(Double($0)) } ?? true
            && subject.sharpness.map { (0...Sharpness.full).contains($0) } ?? true
    }

    /// Whether subjects lie inside an image, with possible scores, and a possible number and time.
    package func isSubjects(_ findings: SubjectFindings, in whole: PixelRect) -> Bool {
        findings.subjects.count <= SubjectFindings.maximumCount && isTime(findings.duration)
            && findings.subjects.allSatisfy { isSubject($0, in: whole) }
    }

    /// Whether a subject lies inside an image in the same pixels, is not empty, and has a score from 0 to 1.
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

    /// Whether an ignored detection lies inside an image in the same pixels, with a finite score.
    package func isIgnored(_ face: IgnoredFace, in whole: PixelRect) -> Bool {
        isInside(face.box, in: whole) && isScore(face.confidence)
    }

    /// Whether a duration is 0 to a day, so that it can be added and written.
    package func isTime(_ duration: Duration) -> Bool { (.zero ... .seconds(86_400)).contains(duration) }

    /// Whether an animation has 2 to 2²⁴ frames, and a duration and a number of plays that can be written.
    package func isAnimation(_ animation: AnimationInfo) -> Bool {
        (2...1 << 24).contains(animation.frames) && (0...1 << 53).contains(animation.duration)
            && (0...1 << 32).contains(animation.plays)
    }

    /// Whether a search can produce this list of searched frames.
    package func isSample(_ frames: [Int]) -> Bool {
        (1...DetectionResult.maxFrames).contains(frames.count) && frames.allSatisfy { (0..<1 << 24).contains($0) }
    }

    /// Whether a detector's score is finite, and stays finite when it is rounded.
    package func isScore(_ confidence: Double) -> Bool { (-1e9...1e9).contains(confidence) }

    /// Whether a pass has a possible size, duration and smallest face.
    package func isPass(_ pass: DetectionPass) -> Bool {
        isSide(pass.workingSize.width) && isSide(pass.workingSize.height) && isTime(pass.duration)
            && (0...Double(1 << 24)).contains(pass.smallestFace)
    }
}
