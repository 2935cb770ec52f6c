/// A class of objects that a request requires in the crop, and its weight.
package struct WantedClass: Hashable, Codable, Sendable {
    /// The class.
    package var kind: SubjectClass
    /// The weight, relative to the other classes of the request: greater than 0.
    package var weight: Double

    /// Creates a class with a weight; nothing is checked.
    package init(_ kind: SubjectClass, weight: Double = 1) { (self.kind, self.weight) = (kind, weight) }
}
