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

    /// Returns the subject, clipped to a part of the image; nil if more than half of its box is outside.
    package func clipped(to area: PixelRect) -> DetectedSubject? {
        let left = max(box.x, Double(area.x))
        let top = max(box.y, Double(area.y))
        let width = min(box.x + box.width, Double(area.maxX)) - left
        let height = min(box.y + box.height, Double(area.maxY)) - top
        guard width > 0, height > 0, 2 * width * height >= box.width * box.height else { return nil }
        return DetectedSubject(kind, box: FractionalRect(x: left, y: top, width: width, height: height), score: score)
    }
}
