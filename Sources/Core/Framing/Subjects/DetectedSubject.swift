package import Geometry

/// An object that the subject network found.
package struct DetectedSubject: Hashable, Codable, Sendable {
    /// The object's class.
    package var kind: SubjectClass
    /// The object, in pixels of the upright image and inside it.
    package var box: FractionalRect
    /// The network's probability of the class, 0 to 1.
    package var score: Double

    /// Creates an object of a class at a place; nothing is checked.
    package init(_ kind: SubjectClass, box: FractionalRect, score: Double) {
        (self.kind, self.box, self.score) = (kind, box, score)
    }
}
