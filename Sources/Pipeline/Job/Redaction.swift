package import Framing
package import Geometry
package import Imaging

/// What is made unrecognisable in every image of a job, and how.
package struct Redaction: Hashable, Codable, Sendable {
    /// Which heads.
    package enum Faces: Hashable, Codable, Sendable {
        /// Every detection, also those that are too weak or too small to count as faces.
        case all
        /// Every detection except those of the largest face.
        case others
        /// The faces with these numbers; 1 is the largest.
        case numbers([Int])

        /// No head: areas alone.
        package static let none = Faces.numbers([])
    }

    /// What replaces the pixels.
    package var style: RedactionStyle
    /// Which heads.
    package var faces: Faces
    /// The outline of heads and areas.
    package var shape: RedactionShape
    /// Rectangles of the upright picture that are redacted in addition to heads.
    package var areas: [Region]

    /// The most numbers of faces.
    package static let mostNumbers = 64
    /// The most areas.
    package static let mostAreas = 64

    /// Redacts the given faces.
    package init(style: RedactionStyle, faces: Faces = .all, shape: RedactionShape = .rounded, areas: [Region] = []) {
        self.style = style
        self.faces = faces
        self.shape = shape
        self.areas = areas
    }

    /// Whether the face with a number is redacted; 1 is the largest.
    package func includes(_ number: Int) -> Bool {
        switch faces {
        case .all: true
        case .others: number != 1
        case .numbers(let numbers): numbers.contains(number)
        }
    }

    /// The masks of heads and of ``areas``, with the outline.
    func masks(of heads: [RedactionMask], in size: PixelSize) -> [RedactionMask] {
        let given = areas.map { $0.resolved(in: size) }.filter { $0.area > 0 }.map { RedactionMask(around: $0) }
        return (heads + given).map { RedactionMask($0.parts, shape: shape) }
    }
}
