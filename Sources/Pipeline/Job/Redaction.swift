import FaceDetection
package import Framing
package import Geometry
import Glibc
package import Imaging

/// The heads and areas that are redacted in every image of a job, and the style.
package struct Redaction: Hashable, Codable, Sendable {
    /// A choice of heads.
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

    /// The replacement of the pixels.
    package var style: RedactionStyle
    /// The heads to redact.
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

/// One head to redact, in pixels of the upright source.
package struct RedactedHead: Hashable, Codable, Sendable {
    /// The detector's box.
    package var box: PixelRect
    /// The area of the head.
    package var mask: RedactionMask
    /// The detector's raw score.
    package var confidence: Double

    /// The lowest score of a detection that continues a tracked head of a video; from ``FaceSearch/leastRedacted`` on,
    /// a detection is redacted by itself.
    static let leastContinued = -0.9

    package init(box: PixelRect, mask: RedactionMask, confidence: Double) {
        self.box = box
        self.mask = mask
        self.confidence = confidence
    }

    /// The head of a face.
    package init(_ face: Face) { self.init(box: face.box, mask: RedactionMask(face), confidence: face.confidence) }
}

/// The detections that a redaction covers, and the faces that are still found afterwards.
package struct RedactionAudit: Codable, Sendable {
    /// A detection in pixels of the upright source.
    package struct Head: Codable, Sendable {
        /// The detector's box, clipped to the picture.
        package var box: PixelRect
        /// The detector's raw score; faces have 0 and more.
        package var confidence: Double
    }

    /// The covered detections, the surest of each head; areas that the caller names are not among them.
    package var covered: [Head]
    /// Faces that the search for redaction finds in the redacted picture, without those that the caller leaves visible.
    package var remaining: [Head]

    init(covered: [RedactedHead], remaining: [RedactedHead], in size: PixelSize) {
        func clipped(_ heads: [RedactedHead]) -> [Head] {
            heads.map { Head(box: $0.box.intersection(PixelRect(size)), confidence: $0.confidence) }
                .filter { $0.box.area > 0 }
        }
        self.covered = clipped(covered)
        self.remaining = clipped(remaining)
    }
}

extension RedactionMask {
    /// The mask of a face: its head as it is reported, and the same head turned by the roll of the face.
    ///
    /// The turn is about the centre of the detector's box. Both are covered, because the landmarks may be wrong.
    init(_ face: Face) {
        let head = face.head.centre
        var parts = [Part(face.head, centre: head, roll: 0)]
        // The head of a person who lies is already reported turned by quarters, so only the rest of the roll counts.
        let roll = face.landmarks.map { remainder($0.roll, 90) } ?? 0
        if abs(roll) >= Self.leastRoll {
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

    /// The mask of a detection that does not count as a face.
    init(_ ignored: IgnoredFace, in size: PixelSize) {
        let head = HeadGrowth.head(nil).grown(ignored.box, in: size)
        self.init([Part(head, centre: head.centre, roll: 0)])
    }

    /// The angle in degrees from which a turned mask differs visibly.
    private static let leastRoll = 4.0
}

extension RedactionMask.Part {
    fileprivate init(_ head: PixelRect, centre: PixelPoint, roll: Double) {
        self.init(centre: centre, halfWidth: Double(head.width) / 2, halfHeight: Double(head.height) / 2, roll: roll)
    }
}
