/// One person to be framed: the face, the head around it, and how sure it is that somebody is there.
package struct Subject: Hashable, Codable, Sendable {
    /// The face from hairline to chin, clipped to the image.
    package var face: PixelRect
    /// The head with its hair, clipped to the image.
    package var head: PixelRect
    /// How much this person counts against others, 1…``certain``: how likely it is a face at all, in thousandths.
    package var reliability: Int
    /// How many pixels the true face may reach further than `face` or less far, on any side.
    package var faceTolerance: Int
    /// The same for `head`.
    package var headTolerance: Int

    /// The height of the eyes in pixels from the image's top, for a face that is upright.
    var eyeLine: Double { Double(face.y) + Self.eyes * Double(face.height) }

    /// How far down the eyes are between hairline and chin: the median of 543 faces, of which a tenth is above 0.34 and a
    /// tenth below 0.42.
    private static let eyes = 0.38

    /// The reliability of a face that is there beyond doubt.
    package static let certain = 1000

    /// A person whose face and head have the given boxes, in pixels of the upright image.
    ///
    /// Without tolerances they are known to the pixel.
    package init(
        face: PixelRect,
        head: PixelRect,
        reliability: Int = certain,
        faceTolerance: Int = 0,
        headTolerance: Int = 0
    ) {
        self.face = face
        self.head = head
        self.reliability = reliability
        self.faceTolerance = faceTolerance
        self.headTolerance = headTolerance
    }
}

extension PixelRect {
    /// This rectangle with `amount` more pixels on every side, as far as the image reaches.
    func grown(by amount: Int, in size: PixelSize) -> PixelRect {
        PixelRect(x: x - amount, y: y - amount, width: width + 2 * amount, height: height + 2 * amount)
            .intersection(PixelRect(size))
    }

    /// The smallest rectangle that holds all of some; there must be one.
    init(around rects: [PixelRect]) {
        self = rects.dropFirst().reduce(rects[0]) { $0.union($1) }
    }

    /// The smallest rectangle that holds both.
    func union(_ other: PixelRect) -> PixelRect {
        let left = min(x, other.x)
        let top = min(y, other.y)
        return PixelRect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
    }
}
