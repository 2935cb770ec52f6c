/// One person to be framed: the face, the head around it, and how sure it is that somebody is there.
package struct Subject: Hashable, Sendable {
    /// The face from hairline to chin, clipped to the image.
    package var face: PixelRect
    /// The head with its hair, clipped to the image.
    package var head: PixelRect
    /// How much this person counts against others, 1…``certain``: how likely it is a face at all, in thousandths.
    package var reliability: Int

    /// The reliability of a face that is there beyond doubt.
    package static let certain = 1000

    /// A person whose face and head have the given boxes, in pixels of the upright image.
    package init(face: PixelRect, head: PixelRect, reliability: Int = certain) {
        self.face = face
        self.head = head
        self.reliability = reliability
    }
}

extension PixelRect {
    /// This rectangle with `amount` more pixels on every side, as far as the image reaches.
    func grown(by amount: Int, in size: PixelSize) -> PixelRect {
        PixelRect(x: x - amount, y: y - amount, width: width + 2 * amount, height: height + 2 * amount)
            .intersection(PixelRect(size))
    }

    /// The smallest rectangle that holds both.
    func union(_ other: PixelRect) -> PixelRect {
        let left = min(x, other.x)
        let top = min(y, other.y)
        return PixelRect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
    }
}
