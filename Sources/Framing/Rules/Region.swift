package import Geometry

/// A rectangle of a picture whose size is not known yet, in shares of its sides or in pixels.
package struct Region: Hashable, Codable, Sendable {
    /// The distance of the left edge from that of the picture.
    package var x: Length
    /// The distance of the top edge from that of the picture.
    package var y: Length
    /// The width, not 0.
    package var width: Length
    /// The height, not 0.
    package var height: Length

    /// A rectangle with the given top left corner.
    package init(x: Length, y: Length, width: Length, height: Length) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The whole pixels of the region: those whose centre lies inside, and at least one on each axis.
    ///
    /// - Parameter size: The size of the upright picture.
    /// - Returns: A rectangle clipped to the picture; empty only if the region begins right of or below the picture.
    package func resolved(in size: PixelSize) -> PixelRect {
        let columns = Self.interval(x.pixels(of: size.width), width.pixels(of: size.width), in: size.width)
        let rows = Self.interval(y.pixels(of: size.height), height.pixels(of: size.height), in: size.height)
        return PixelRect(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }

    private static func interval(_ start: Double, _ length: Double, in limit: Int) -> Range<Int> {
        guard start < Double(limit) else { return limit..<limit }
        let first = min(firstPixel(from: start), limit - 1)
        return first..<min(max(first + 1, firstPixel(from: start + length)), limit)
    }

    /// The first pixel whose centre is not before `edge`.
    private static func firstPixel(from edge: Double) -> Int { Int((edge - 0.5).rounded(.up)) }
}
