/// One person to be framed: a face as it was detected, and the head around it.
package struct Subject: Hashable, Sendable {
    /// The detector's box, clipped to the image.
    package var face: PixelRect
    /// The head, clipped to the image; it holds the face.
    package var head: PixelRect

    /// A person whose face and head have the given boxes, in pixels of the upright image.
    package init(face: PixelRect, head: PixelRect) {
        self.face = face
        self.head = head
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
