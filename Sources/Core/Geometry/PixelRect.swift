import TotalFunctions

/// A rectangle in whole pixels of the upright image: origin at the top left, y down, right and bottom edges excluded.
public struct PixelRect: Hashable, Codable, Sendable {
    /// The left edge.
    public var x: Int
    /// The top edge.
    public var y: Int
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    /// Creates a rectangle whose top left pixel is (`x`, `y`).
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Creates the rectangle that covers an image of the given size.
    public init(_ size: PixelSize) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

    /// Creates the smallest rectangle that contains all given rectangles, at least one.
    package init(around rects: [PixelRect]) {
        // bounded: at least one rectangle is given
        self = rects.dropFirst().reduce(rects[0]) { $0.union($1) }
    }

    /// The first column right of the rectangle; `Int.max` if it would exceed this value.
    public var maxX: Int { x.saturatingAdding(width) }

    /// The first row below the rectangle; `Int.max` if it would exceed this value.
    public var maxY: Int { y.saturatingAdding(height) }

    /// The columns from the left edge to the right edge.
    // bounded: the end is at least the start
    package var columns: Range<Int> { x..<max(x, maxX) }

    /// The rows from the top edge to the bottom edge.
    // bounded: the end is at least the start
    package var rows: Range<Int> { y..<max(y, maxY) }

    /// Width and height.
    public var size: PixelSize { PixelSize(width: width, height: height) }

    /// The centre of the rectangle.
    package var centre: PixelPoint { PixelPoint(x: Double(x) + Double(width) / 2, y: Double(y) + Double(height) / 2) }

    /// The number of pixels; `Int.max` for more.
    public var area: Int { width.saturatingMultiplied(by: height) }

    /// Whether every pixel of `other` lies in this rectangle.
    public func contains(_ other: PixelRect) -> Bool {
        other.x >= x && other.y >= y && other.maxX <= maxX && other.maxY <= maxY
    }

    /// Returns the pixels that both rectangles cover; an empty rectangle if they are disjoint.
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

    /// Returns the smallest rectangle that contains both rectangles.
    package func union(_ other: PixelRect) -> PixelRect {
        let left = min(x, other.x)
        let top = min(y, other.y)
        return PixelRect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
    }

    /// Returns the rectangle moved by a distance.
    package func moved(x right: Int, y down: Int) -> PixelRect {
        PixelRect(x: x + right, y: y + down, width: width, height: height)
    }

    /// Returns the intersection over union: the pixels covered by both, relative to the pixels covered by either; 0 to
    /// 1.
    package func overlap(with other: PixelRect) -> Double {
        let shared = intersection(other).area
        return shared == 0 ? 0 : Double(shared) / Double(area + other.area - shared)
    }

    /// Returns this rectangle, extended by `amount` pixels on every side; reduced if `amount` is negative.
    package func grown(by amount: Int) -> PixelRect {
        PixelRect(x: x - amount, y: y - amount, width: width + 2 * amount, height: height + 2 * amount)
    }

    /// Returns the extended rectangle, clipped to the image.
    package func grown(by amount: Int, in size: PixelSize) -> PixelRect {
        grown(by: amount).intersection(PixelRect(size))
    }
}
