import Framing
import ImageCodec

/// What findings have to be so that framing can work with them, wherever they come from.
///
/// As with ``AnswerCheck`` they may be wrong, but no number in them makes arithmetic overflow, or has no place in JSON.
struct FindingsCheck: PlausibleNumbers {
    let limits: PipelineLimits
    let detectorName: String

    /// What is wrong with findings; nil when all is well.
    func problem(in findings: FaceFindings) -> String? {
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
