/// A rectangle in whole pixels of the upright image: origin at the top left, y down, right and bottom edges excluded.
public struct PixelRect: Hashable, Codable, Sendable {
    /// The left edge.
    public var x: Int
    /// The top edge.
    public var y: Int
    /// Pixels across.
    public var width: Int
    /// Pixels down.
    public var height: Int

    /// A rectangle whose top left pixel is (`x`, `y`).
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The rectangle that covers an image of the given size.
    public init(_ size: PixelSize) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

    /// The first column right of the rectangle.
    public var maxX: Int { x + width }

    /// The first row below the rectangle.
    public var maxY: Int { y + height }

    /// The columns from the left edge to the right.
    package var columns: Range<Int> { x..<maxX }

    /// The rows from the top edge to the bottom.
    package var rows: Range<Int> { y..<maxY }

    /// Width and height.
    public var size: PixelSize { PixelSize(width: width, height: height) }

    /// The number of pixels.
    public var area: Int { width * height }

    /// Whether every pixel of `other` lies in this rectangle.
    public func contains(_ other: PixelRect) -> Bool {
        other.x >= x && other.y >= y && other.maxX <= maxX && other.maxY <= maxY
    }

    /// The pixels that both rectangles cover; an empty rectangle if they are disjoint.
    public func intersection(_ other: PixelRect) -> PixelRect {
        let left = max(x, other.x)
        let top = max(y, other.y)
        return PixelRect(
            x: left,
            y: top,
            width: max(0, min(maxX, other.maxX) - left),
            height: max(0, min(maxY, other.maxY) - top)
        )
    }

    /// The smallest rectangle that contains both.
    package func union(_ other: PixelRect) -> PixelRect {
        let left = min(x, other.x)
        let top = min(y, other.y)
        return PixelRect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
    }

    /// The rectangle at a distance from this one.
    package func moved(x right: Int, y down: Int) -> PixelRect {
        PixelRect(x: x + right, y: y + down, width: width, height: height)
    }

    /// Intersection over union: the pixels covered by both, relative to those covered by either; 0 to 1.
    package func overlap(with other: PixelRect) -> Double {
        let shared = intersection(other).area
        return shared == 0 ? 0 : Double(shared) / Double(area + other.area - shared)
    }
}

/// A width and a height in whole pixels.
public struct PixelSize: Hashable, Codable, Sendable {
    /// Pixels across.
    public var width: Int
    /// Pixels down.
    public var height: Int

    /// A size of `width` by `height` pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The nearest size in whole pixels, at least 1 by 1.
    package init(rounding width: Double, _ height: Double) {
        self.init(width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded())))
    }

    /// The number of pixels; sides are at most 2³¹, so the product fits.
    public var area: Int { width * height }

    /// The shorter of the two sides.
    public var shortSide: Int { min(width, height) }

    /// The longer of the two sides.
    public var longSide: Int { max(width, height) }

    /// Whether this is the other size scaled to this width or this height, and rounded to whole pixels.
    package func isRounded(from other: PixelSize) -> Bool {
        guard other.width > 0, other.height > 0 else { return false }
        let (across, down) = (Double(width) / Double(other.width), Double(height) / Double(other.height))
        return abs(Double(other.height) * across - Double(height)) <= 0.5
            || abs(Double(other.width) * down - Double(width)) <= 0.5
    }
}

/// A position in an image, in pixels: origin at the top left corner of the top left pixel.
package struct PixelPoint: Hashable, Codable, Sendable {
    package var x, y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The same position in another size of the same image.
    package func scaled(from size: PixelSize, to other: PixelSize) -> PixelPoint {
        PixelPoint(x: x * Double(other.width) / Double(size.width), y: y * Double(other.height) / Double(size.height))
    }
}

/// A rectangle in fractions of pixels: pixel 0 spans 0 to 1, origin at the top left, y down.
package struct FractionalRect: Hashable, Codable, Sendable {
    /// The left and the top edge.
    package var x, y: Double
    /// Pixels across and down.
    package var width, height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The rectangle that covers whole pixels.
    package init(_ rect: PixelRect) {
        self.init(x: Double(rect.x), y: Double(rect.y), width: Double(rect.width), height: Double(rect.height))
    }

    /// The rectangle moved into a picture, and made smaller if it does not fit.
    package func clamped(to size: PixelSize) -> FractionalRect {
        let (width, height) = (min(width, Double(size.width)), min(height, Double(size.height)))
        return FractionalRect(
            x: min(max(x, 0), Double(size.width) - width),
            y: min(max(y, 0), Double(size.height) - height),
            width: width,
            height: height
        )
    }
}
