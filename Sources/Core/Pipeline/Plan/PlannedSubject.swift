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

    /// Creates a subject in an image of the given size; nil if its numbers are not finite or no part of it is inside.
    init?(_ subject: DetectedSubject, in size: PixelSize) {
        var constants = SubjectConstants.chosen
        constants.minScore = 0
        guard let weighed = WeighedSubject(subject, in: size, constants) else { return nil }
        (kind, score, box, head) = (subject.kind, min(subject.score, 1), weighed.box, weighed.head)
    }
}
