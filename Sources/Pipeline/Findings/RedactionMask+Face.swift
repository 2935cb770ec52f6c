import FaceDetection
import Framing
import Geometry
import Glibc
import Imaging

extension RedactionMask {
    /// The mask of a face: its head as it is reported, and the same head turned by the roll of the face.
    ///
    /// The turn is about the centre of the detector's box. Both are covered, because the landmarks may be wrong.
    init(_ face: Face) {
        let head = face.head.middle
        var parts = [Part(face.head, centre: head, roll: 0)]
        // The heads of people who lie are reported turned already.
        let roll = face.landmarks.map { remainder($0.roll, 90) } ?? 0
        if abs(roll) >= Self.leastRoll {
            let (box, angle) = (face.box.middle, roll * .pi / 180)
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
        self.init([Part(head, centre: head.middle, roll: 0)])
    }

    /// The angle in degrees from which a turned mask differs visibly.
    private static let leastRoll = 4.0
}

extension RedactionMask.Part {
    fileprivate init(_ head: PixelRect, centre: PixelPoint, roll: Double) {
        self.init(centre: centre, halfWidth: Double(head.width) / 2, halfHeight: Double(head.height) / 2, roll: roll)
    }
}

extension PixelRect {
    fileprivate var middle: PixelPoint {
        PixelPoint(x: Double(x) + Double(width) / 2, y: Double(y) + Double(height) / 2)
    }
}
