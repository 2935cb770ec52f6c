import FaceDetection
import Framing

/// A face in the source image, and the head around it.
struct Person {
    /// The detector's box in pixels of the upright source, perhaps reaching over its edges.
    var box: PixelRect
    /// The detector's raw score.
    var confidence: Double
    /// How the head is turned, where the detector can tell.
    var pose: Pose?
    /// What framing goes by.
    var subject: Subject

    /// The person that a detection tells of; nil when nothing of the face is inside the image.
    ///
    /// - Parameters:
    ///   - detection: What a detector found, in pixels of the image it was given.
    ///   - workingSize: That image's size.
    ///   - size: The source's size, in the same orientation.
    init?(_ detection: Detection, workingSize: PixelSize, in size: PixelSize) {
        box = detection.box.scaled(from: workingSize, to: size)
        confidence = detection.confidence
        pose = detection.pose
        // A face and its head grow from the whole box: at the edge of the image they have their crown where all have it.
        subject = Subject(
            face: HeadGrowth.face(pose).grown(box, in: size),
            head: HeadGrowth.head(pose).grown(box, in: size),
            reliability: Self.reliability(confidence)
        )
        guard box.intersection(PixelRect(size)).area > 0, subject.face.area > 0, subject.head.area > 0 else {
            return nil
        }
    }

    /// How much a detection counts against others: half at the threshold's doubtful end, nearly all from 0.5 on.
    ///
    /// A logistic curve over dlib's score, so that a doubtful face in a corner never outweighs a sure one, and many sure
    /// ones always outweigh few.
    private static func reliability(_ confidence: Double) -> Int {
        // 1 / (1 + 2^-x) without Foundation's exp: the base is as good as any.
        let steps = (confidence + 0.25) * 7
        let share = 1 / (1 + power(ofTwo: -steps))
        return min(Subject.certain, max(1, Int((share * Double(Subject.certain)).rounded())))
    }

    private static func power(ofTwo exponent: Double) -> Double {
        let bounded = min(max(exponent, -60), 60)
        let whole = bounded.rounded(.down)
        // Between two powers a straight line is within 9 % and grows as steadily.
        return Double(sign: .plus, exponent: Int(whole), significand: 1 + (bounded - whole))
    }
}

extension PixelRect {
    /// This rectangle of an image of one size in the pixels of the same image at another size.
    func scaled(from size: PixelSize, to other: PixelSize) -> PixelRect {
        let acrossScale = Double(other.width) / Double(size.width)
        let downScale = Double(other.height) / Double(size.height)
        let left = Int((Double(x) * acrossScale).rounded())
        let top = Int((Double(y) * downScale).rounded())
        return PixelRect(
            x: left,
            y: top,
            width: Int((Double(maxX) * acrossScale).rounded()) - left,
            height: Int((Double(maxY) * downScale).rounded()) - top
        )
    }
}
