package import Imaging

/// Which heads are made unrecognisable in every image of a job, and how.
package struct Redaction: Hashable, Codable, Sendable {
    /// Which heads.
    package enum Faces: Hashable, Codable, Sendable {
        /// Every detection, also those that are too weak or too small to count as faces.
        case all
        /// Every detection except those of the largest face.
        case others
        /// The faces with these numbers; 1 is the largest.
        case numbers([Int])
    }

    /// What replaces the pixels.
    package var style: RedactionStyle
    /// Which heads.
    package var faces: Faces

    /// The most numbers of faces.
    package static let mostNumbers = 64

    /// Redacts the given faces.
    package init(style: RedactionStyle, faces: Faces = .all) {
        self.style = style
        self.faces = faces
    }

    /// Whether the face with a number is redacted; 1 is the largest.
    package func includes(_ number: Int) -> Bool {
        switch faces {
        case .all: true
        case .others: number != 1
        case .numbers(let numbers): numbers.contains(number)
        }
    }
}
