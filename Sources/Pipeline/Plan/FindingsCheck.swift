import BinaryCoding
import Framing
import Geometry
import Imaging

/// Validates findings from any source before framing uses them.
///
/// Valid findings may still be wrong about the picture, but none of their numbers overflows arithmetic or is missing from
/// JSON.
package struct FindingsCheck: PlausibleNumbers {
    package let limits: PipelineLimits
    package let detectorName: String

    package init(limits: PipelineLimits, detectorName: String) {
        self.limits = limits
        self.detectorName = detectorName
    }

    /// The first problem of the findings; nil when they are valid.
    package func problem(in findings: FaceFindings) -> String? {
        let size = findings.size
        guard isSide(size.width), isSide(size.height),
            size.area <= limits.decode.maxPixels, size.longSide <= limits.decode.maxSide
        else { return "findings of a picture that is too large" }
        guard findings.detectorName == detectorName,
            findings.looks.allSatisfy(isLook)
        else { return "findings of another detector" }
        let whole = PixelRect(size)
        for person in findings.people where !isPlausible(person, whole) { return "a person outside of the picture" }
        for ignored in findings.ignored where !isInside(ignored.box, whole) || !isScore(ignored.confidence) {
            return "a face outside of the picture"
        }
        return nil
    }

    private func isPlausible(_ person: Person, _ whole: PixelRect) -> Bool {
        let subject = person.subject
        return isScore(person.confidence) && isModest(person.box) && person.box.intersection(whole).area > 0
            && [subject.face, subject.head].allSatisfy { isInside($0, whole) && $0.area > 0 }
            && subject.head.contains(subject.face)
            && (1...Subject.certain).contains(subject.reliability)
            && [subject.faceTolerance, subject.headTolerance].allSatisfy((0...1 << 24).contains)
    }
}

extension FaceFindings {
    /// Decodes findings that ``BinaryCoder`` encoded, from memory that others may write to; nil for anything that no search
    /// can have given.
    ///
    /// - Parameters:
    ///   - bytes: Untrusted bytes.
    ///   - detectorName: Of the detector that is in use.
    ///   - limits: Those on pictures.
    package init?(decoding bytes: [UInt8], detectorName: String, limits: PipelineLimits) {
        guard let findings = try? BinaryCoder.value(FaceFindings.self, from: bytes),
            FindingsCheck(limits: limits, detectorName: detectorName).problem(in: findings) == nil
        else { return nil }
        self = findings
    }
}
