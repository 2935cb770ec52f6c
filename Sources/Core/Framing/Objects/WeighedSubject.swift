package import Geometry

/// An object with whole pixels, a weight and the estimated place of its head.
package struct WeighedSubject: Hashable, Sendable {
    /// The object, inside the image and not empty.
    package let box: PixelRect
    /// The estimated head of a person or an animal, inside the image and not empty; nil for other objects.
    package let head: PixelRect?
    /// The kind of the object; for an animal's head, only the rows are estimated.
    package let kind: SubjectKind
    /// The weight of showing the object, in units of 1 / ``unit``.
    package let weight: Int
    /// The part of ``weight`` that depends on the whole head.
    let headWeight: Int

    /// The weight of a certain person who fills the image.
    package static let unit = 1 << 20
    /// The maximum factor of a requested class.
    package static let maxFactor = 16.0

    /// Creates an object for framing.
    ///
    /// The initializer returns nil if a number is not finite, if no part of the object is inside the image, or if its
    /// score is below the minimum.
    ///
    /// - Parameters:
    ///   - subject: An object with any numbers.
    ///   - size: The size of the upright image.
    ///   - factor: The factor of the weight, 0 to ``maxFactor``; nil for the usual factor of the object's kind.
    ///   - constants: The constants of the rule.
    package init?(
        _ subject: DetectedSubject,
        in size: PixelSize,
        factor: Double? = nil,
        _ constants: SubjectConstants = .chosen
    ) {
        guard let box = subject.box.pixels(in: size), subject.score >= constants.minScore else { return nil }
        let kind = subject.kind.kind
        let head = Self.head(of: kind, in: box, constants)?.pixels(in: size)
        let score = min(subject.score, 1)
        let fraction = Double(box.area) / Double(size.area)
        let usual =
            switch kind {
            case .person: 1.0
            case .animal: constants.animal
            case .thing: constants.thing
            case .surroundings: constants.surroundings
            }
        let factor = factor.map { $0 > 0 ? min($0, Self.maxFactor) : 0 } ?? usual
        // The weight is the area to the power of 5/8. Square roots are equal on all processors, but `pow` may differ.
        let root = fraction.squareRoot()
        let size = root * root.squareRoot().squareRoot()
        weight = max(1, Int((factor * score * score * size * Double(Self.unit)).rounded()))
        let share =
            switch kind {
            case .person: constants.personHead
            case .animal: constants.animalHead
            case .thing, .surroundings: 0.0
            }
        headWeight = head == nil ? 0 : Int((share * Double(weight)).rounded())
        (self.box, self.head, self.kind) = (box, head, kind)
    }

    /// Creates an object from a detected face, which counts as a certain person.
    ///
    /// The weight is the weight of a body around the head.
    package init(face: Subject, in size: PixelSize, _ constants: SubjectConstants = .chosen) {
        let fraction = min(1, Self.bodyOfHead * Double(face.head.area) / Double(size.area))
        let root = fraction.squareRoot()
        let reliability = Double(face.reliability) / Double(Subject.certain)
        weight = max(1, Int((reliability * root * root.squareRoot().squareRoot() * Double(Self.unit)).rounded()))
        headWeight = Int((constants.personHead * Double(weight)).rounded())
        (box, head, kind) = (face.head, face.head, .person)
    }

    /// The area of a person, in areas of the head.
    private static let bodyOfHead = 8.0

    /// Returns the estimated head in a box.
    ///
    /// The value is nil for things, for a person whose box is too low for an upright person, and for a person whose box
    /// begins at the upper edge of the image, which usually cuts the head off.
    private static func head(of kind: SubjectKind, in box: PixelRect, _ constants: SubjectConstants) -> FractionalRect?
    {
        let (x, y, width, height) = (Double(box.x), Double(box.y), Double(box.width), Double(box.height))
        switch kind {
        case .person:
            guard height > 0.8 * width, y > 0.02 * height else { return nil }
            let length = constants.personHeadHeight * height
            let half = min(width / 2, 0.6 * length)
            // Boxes often begin below the top of the head.
            let above = 0.03 * height
            return FractionalRect(x: x + width / 2 - half, y: y - above, width: 2 * half, height: length + above)
        case .animal:
            return FractionalRect(x: x, y: y, width: width, height: constants.animalHeadHeight * height)
        case .surroundings, .thing:
            return nil
        }
    }
}

extension FractionalRect {
    /// Returns the whole pixels of an image nearest to the edges; nil if there are none or a number is not finite.
    fileprivate func pixels(in size: PixelSize) -> PixelRect? {
        guard x.isFinite, y.isFinite, width.isFinite, height.isFinite, width > 0, height > 0 else { return nil }
        func edge(_ value: Double, _ side: Int) -> Int { Int(min(max(value, 0), Double(side)).rounded()) }
        let (left, top) = (edge(x, size.width), edge(y, size.height))
        let (right, bottom) = (edge(x + width, size.width), edge(y + height, size.height))
        guard right > left, bottom > top else { return nil }
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    }
}
