import Framing
import Geometry

extension DetectedSubject {
    /// The space between a face of the network and the edge of its head, above and on each side, as fractions of the
    /// head's height and width.
    private static let (aboveFace, besideFace) = (0.31, 0.13)

    /// The minimum position of a body's edge if the frame cuts the body, as a fraction of the frame's side.
    private static let cutEdge = 0.97

    /// Returns a person with an estimated head, converted from a detection with the subject's score.
    ///
    /// The result is nil if the subject is not a person, the score is low, the head is not visible, or the frame cuts the
    /// body below and at one side.
    func person(in size: PixelSize) -> FramePerson? {
        guard kind == .person, let head = WeighedSubject(self, in: size)?.head else { return nil }
        let isCut = box.y + box.height >= Self.cutEdge * Double(size.height)
        // The centre of such a body is not below its head.
        let isCutAside = min(box.x, Double(size.width) - box.x - box.width) <= (1 - Self.cutEdge) * Double(size.width)
        guard !isCut || !isCutAside else { return nil }
        let (width, height) = (Double(head.width), Double(head.height))
        let left = head.x + Int((Self.besideFace * width).rounded())
        let top = head.y + Int((Self.aboveFace * height).rounded())
        let right = head.maxX - Int((Self.besideFace * width).rounded())
        guard right > left, head.maxY > top else { return nil }
        let subject = Subject(
            face: PixelRect(x: left, y: top, width: right - left, height: head.maxY - top),
            head: head,
            reliability: min(Subject.certain, max(1, Int((score * Double(Subject.certain)).rounded())))
        )
        return FramePerson(subject: subject, isCut: isCut)
    }
}
