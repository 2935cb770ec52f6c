package import Geometry
import TotalFunctions

/// One person to be framed: the face, the head around it, and the certainty of the detection.
package struct Subject: Hashable, Codable, Sendable {
    /// The face from hairline to chin, clipped to the image.
    package var face: PixelRect
    /// The head with its hair, clipped to the image.
    package var head: PixelRect
    /// The weight of this person, 1…``certain``: the probability that the detection is a face, in thousandths.
    package var reliability: Int
    /// The uncertainty of each edge of `face` and `head`, in pixels.
    package var tolerance: Int

    /// The score of the detection, in thousandths; nil if it is unknown, which counts as certain.
    ///
    /// It distinguishes faces with nearly the same reliability.
    package var score: Int?

    /// The sharpness of the face, in thousandths; nil if it is unknown, which counts as sharp.
    ///
    /// It can only be compared with other faces of the same image.
    package var sharpness: Int?

    /// The centre between the eyes in pixels from the image's top; nil if it is unknown.
    package var eyes: Double?

    /// The height of the eyes in pixels from the image's top; if ``eyes`` is nil, the height for an upright face.
    var eyeLine: Double { eyes ?? Double(face.y) + Self.eyesOfFace * Double(face.height) }

    /// The position of the eyes between hairline and chin, as a fraction of the face's height.
    ///
    /// The value is the median of 543 faces; a tenth of the faces have a value below 0.34, and a tenth above 0.42.
    private static let eyesOfFace = 0.38

    /// The distances from the eyes to the top of the brows and to the bottom of the lower lip, in heights of the face.
    ///
    /// The distance of the lip is based on 648 faces; in a twentieth of them, the centre of the mouth is more than 0.42
    /// below the eyes.
    private static let (browAboveEyes, lipBelowEyes) = (0.12, 0.42)

    /// Returns the first row of a part of the face that is shorter than the face.
    ///
    /// Hair and forehead are cut first, then the chin. A part that is too short for brows and mouth is centred on them.
    /// In addition to hair and forehead, a small part above the chin may be cut, as a fraction of the face's height.
    func top(ofPartWith height: Int, cutting chin: Double = PeopleConstants.chosen.chinCut) -> Double {
        let (length, side) = (Double(height), Double(face.height))
        let brow = eyeLine - Self.browAboveEyes * side
        let lip = eyeLine + Self.lipBelowEyes * side
        return length < lip - brow ? (brow + lip - length) / 2 : min(brow, Double(face.maxY) - chin * side - length)
    }

    /// The reliability of a certain face.
    package static let certain = 1000

    /// The maximum of ``score`` in either direction, in units of the detector.
    package static let maxScore = 1000.0

    /// Creates a person, in pixels of the upright image.
    ///
    /// - Parameters:
    ///   - face: The face from hairline to chin, clipped to the image.
    ///   - head: The head with its hair, clipped to the image; it contains the face.
    ///   - reliability: 1…``certain``: the probability that it is a face, in thousandths.
    ///   - tolerance: The uncertainty of each edge; 0 for exact boxes.
    package init(face: PixelRect, head: PixelRect, reliability: Int = certain, tolerance: Int = 0) {
        self.face = face
        self.head = head
        self.reliability = reliability
        self.tolerance = tolerance
    }
}
