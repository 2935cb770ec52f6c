package import Geometry

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

    /// The middle between the eyes in pixels from the image's top; nil if it is unknown.
    package var eyes: Double?

    /// The height of the eyes in pixels from the image's top; that of an upright face, if ``eyes`` is nil.
    var eyeLine: Double { eyes ?? Double(face.y) + Self.eyesOfFace * Double(face.height) }

    /// The position of the eyes between hairline and chin, as a share of the face's height.
    ///
    /// The median of 543 faces; a tenth is above 0.34, and a tenth below 0.42.
    private static let eyesOfFace = 0.38

    /// The reliability of a certain face.
    package static let certain = 1000

    /// A person with the given face and head, in pixels of the upright image.
    ///
    /// With a tolerance of 0 the boxes are exact.
    package init(face: PixelRect, head: PixelRect, reliability: Int = certain, tolerance: Int = 0) {
        self.face = face
        self.head = head
        self.reliability = reliability
        self.tolerance = tolerance
    }
}

extension PixelRect {
    /// This rectangle extended by `amount` pixels on every side, clipped to the image.
    func grown(by amount: Int, in size: PixelSize) -> PixelRect {
        PixelRect(x: x - amount, y: y - amount, width: width + 2 * amount, height: height + 2 * amount)
            .intersection(PixelRect(size))
    }

    /// The smallest rectangle that contains all the others; there must be at least one.
    init(around rects: [PixelRect]) {
        self = rects.dropFirst().reduce(rects[0]) { $0.union($1) }
    }
}
