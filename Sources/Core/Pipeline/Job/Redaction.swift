import FaceDetection
package import Framing
package import Geometry
import Glibc
package import Imaging

/// The heads and areas to redact in every image of a job, and the style of redaction.
package struct Redaction: Hashable, Codable, Sendable {
    /// A choice of heads.
    package enum Faces: Hashable, Codable, Sendable {
        /// Every detection, including detections that are too weak or too small to count as faces.
        case all
        /// Every detection except detections of the largest face.
        case others
        /// The faces with these numbers; 1 is the largest.
        case numbers([Int])

        /// No heads, so that only areas are redacted.
        package static let none = Faces.numbers([])
    }

    /// The replacement of the pixels.
    package var style: RedactionStyle
    /// The heads to redact.
    package var faces: Faces
    /// The outline of heads and areas.
    package var shape: RedactionShape
    /// Rectangles of the upright image that are redacted in addition to heads.
    package var areas: [Region]

    /// The maximum number of face numbers in a request.
    package static let maxNumbers = 64
    /// The maximum number of areas.
    package static let maxAreas = 64

    /// Creates a redaction of heads, of areas, or of both.
    ///
    /// - Parameters:
    ///   - style: The replacement of the pixels.
    ///   - faces: The heads to redact.
    ///   - shape: The outline of heads and areas.
    ///   - areas: Rectangles of the upright image, at most ``maxAreas``.
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

    /// Returns the masks of heads and of ``areas``, with the outline, in pixels of an upright image of a size.
    package func masks(of heads: [RedactionMask], in size: PixelSize) -> [RedactionMask] {
        let given = areas.map { $0.resolved(in: size) }.filter { $0.area > 0 }.map { RedactionMask(around: $0) }
        return (heads + given).map { RedactionMask($0.parts, shape: shape) }
    }
}

extension RedactionMask {
    /// Creates the mask of a face from its reported head and the same head rotated by the roll of the face.
    ///
    /// The head is rotated about the centre of the detector's box. The mask covers both areas, because the landmarks
    /// may be wrong.
    init(_ face: Face) {
        let head = face.head.centre
        var parts = [Part(face.head, centre: head, roll: 0)]
        // If a person lies down, the reported head is already rotated by 90°, so only the remaining roll counts.
        let roll = face.landmarks.map { remainder($0.roll, 90) } ?? 0
        if abs(roll) >= Self.minRoll {
            let (box, angle) = (face.box.centre, roll * .pi / 180)
            let (x, y) = (head.x - box.x, head.y - box.y)
            let centre = PixelPoint(
                x: box.x + x * cos(angle) - y * sin(angle),
                y: box.y + x * sin(angle) + y * cos(angle)
            )
            parts.append(Part(face.head, centre: centre, roll: roll))
        }
        self.init(parts)
    }

    /// Creates the mask of a detection that does not count as a face.
    init(_ ignored: IgnoredFace, in size: PixelSize) {
        let head = HeadGrowth.head(nil).grown(ignored.box, in: size)
        self.init([Part(head, centre: head.centre, roll: 0)])
    }

    /// The minimum angle in degrees that makes a rotated mask visibly different.
    private static let minRoll = 4.0
}

extension RedactionMask.Part {
    fileprivate init(_ head: PixelRect, centre: PixelPoint, roll: Double) {
        self.init(centre: centre, halfWidth: Double(head.width) / 2, halfHeight: Double(head.height) / 2, roll: roll)
    }
}
