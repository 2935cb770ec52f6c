package import Framing
package import Geometry

/// A person, an animal or a thing in a plan, in pixels of the upright image.
package struct PlannedSubject: Hashable, Codable, Sendable {
    /// The class.
    package var kind: SubjectClass
    /// The network's probability of the class, 0 to 1.
    package var score: Double
    /// The box.
    package var box: PixelRect
    /// The estimated head of a person or an animal; nil for a thing.
    package var head: PixelRect?

    /// A subject inside of an image of the given size.
    init(_ subject: DetectedSubject, in size: PixelSize) {
        let whole = PixelRect(size)
        (kind, score) = (subject.kind, subject.score)
        box = subject.box.rounded.intersection(whole)
        head = subject.estimatedHead?.rounded.intersection(whole)
    }
}

extension FractionalRect {
    /// The nearest rectangle with edges between pixels.
    fileprivate var rounded: PixelRect {
        let (left, top) = (Int(x.rounded()), Int(y.rounded()))
        return PixelRect(
            x: left,
            y: top,
            width: Int((x + width).rounded()) - left,
            height: Int((y + height).rounded()) - top
        )
    }
}
