package import Geometry
import TotalFunctions

/// A rectangle of an image of unknown size, in fractions of its sides or in pixels.
package struct Region: Hashable, Codable, Sendable {
    /// The distance of the left edge from the image's left edge.
    package var x: Length
    /// The distance of the top edge from the image's top edge.
    package var y: Length
    /// The width, not 0.
    package var width: Length
    /// The height, not 0.
    package var height: Length
    /// The place of a rectangle without a specified corner or specified sides.
    ///
    /// The anchor overrides the values that it determines.
    package var anchor: Anchor?

    /// Creates a rectangle with the given top left corner, each side in pixels or as a fraction of the image's side.
    ///
    /// - Parameters:
    ///   - x: The distance of the left edge from the image's left edge.
    ///   - y: The distance of the top edge from the image's top edge.
    ///   - width: Not 0.
    ///   - height: Not 0.
    package init(x: Length, y: Length, width: Length, height: Length) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The place of a rectangle in the image, in fractions of its sides.
    package enum Anchor: Hashable, Codable, Sendable {
        /// The fractions of the space around the rectangle that lie to its left and above it.
        case room(left: Double, above: Double)
        /// The same place as ``room(left:above:)``, moved by an offset.
        case moved(left: Double, above: Double, GravityOffset)
        /// The centre of the rectangle, as close as the image allows.
        case center(x: Double, y: Double)
        /// The rectangle that extends from its corner to these distances from the opposite edges.
        case edges(right: Length, below: Length)
    }

    /// Creates a rectangle of the given size at a place; nil for gravities that do not name a place.
    ///
    /// - Parameters:
    ///   - gravity: One of the nine compass points, or a focal point.
    ///   - width: The width, not 0.
    ///   - height: The height, not 0.
    ///   - offset: The distance from the compass point; nil for none.
    package init?(at gravity: Gravity, width: Length, height: Length, offset: GravityOffset? = nil) {
        self.init(x: .pixels(0), y: .pixels(0), width: width, height: height)
        if case .point(let x, let y) = gravity {
            if offset != nil { return nil }
            anchor = .center(x: x, y: y)
        } else {
            guard let room = gravity.anchor else { return nil }
            anchor = .room(left: room.left, above: room.above)
            if let offset { anchor = .moved(left: room.left, above: room.above, offset) }
        }
    }

    /// Creates a region that is the image without strips along its edges; at least one pixel remains.
    package init(insetLeft left: Length, above: Length, right: Length, below: Length) {
        self.init(x: left, y: above, width: .share(1), height: .share(1))
        anchor = .edges(right: right, below: below)
    }

    /// Returns the whole pixels of the region: the pixels whose centre lies inside, and at least one on each axis.
    ///
    /// The result is clipped to the upright image, and is empty only if the region begins right of or below the image.
    package func resolved(in size: PixelSize) -> PixelRect {
        var (wide, high) = (width.pixels(of: size.width), height.pixels(of: size.height))
        var (left, above) = (x.pixels(of: size.width), y.pixels(of: size.height))
        if let anchor {
            let (across, down) = (max(0, Double(size.width) - wide), max(0, Double(size.height) - high))
            switch anchor {
            case .room(let leftShare, let aboveShare):
                (left, above) = ((across * leftShare).rounded(), (down * aboveShare).rounded())
            case .moved(let leftShare, let aboveShare, let offset):
                let (width, height) = (Double(size.width), Double(size.height))
                left = GravityOffset.start(offset.across, side: width, length: wide.rounded(), anchor: leftShare)
                above = GravityOffset.start(offset.down, side: height, length: high.rounded(), anchor: aboveShare)
            case .center(let x, let y):
                left = min(max(0, (x * Double(size.width) - wide / 2).rounded()), across)
                above = min(max(0, (y * Double(size.height) - high / 2).rounded()), down)
            case .edges(let right, let below):
                wide = max(0, Double(size.width) - left - right.pixels(of: size.width))
                high = max(0, Double(size.height) - above - below.pixels(of: size.height))
            }
        }
        let columns = Self.interval(left, wide, in: size.width)
        let rows = Self.interval(above, high, in: size.height)
        return PixelRect(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }

    private static func interval(_ start: Double, _ length: Double, in limit: Int) -> Range<Int> {
        guard start < Double(limit) else { return limit..<limit }
        let first = min(firstPixel(from: start), limit - 1)
        return first..<min(max(first + 1, firstPixel(from: start + length)), limit)
    }

    /// Returns the first pixel whose centre is not before `edge`.
    private static func firstPixel(from edge: Double) -> Int { Int(clamping: (edge - 0.5).rounded(.up)) }
}
